/** Returns the address in the code of a link, by which statistics tell scans from clicks. */
export const scannedUrl = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}_via=qr`;
