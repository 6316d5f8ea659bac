/**
 * Returns the headers of a file that browsers save.
 * @param name of printable ASCII characters without quotation marks
 */
export const fileHeaders = (mediaType: string, name: string): Record<string, string> => ({
  'Content-Type': `${mediaType}; charset=utf-8`,
  'Content-Disposition': `attachment; filename="${name}"`,
  'Cache-Control': 'private, no-store',
});
