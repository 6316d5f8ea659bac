import type { Response } from 'express';
import { fileHeaders } from './file-headers';

/** Returns counts as JSON, or as a CSV file. Counts are no resource, so they get no `ETag`. */
export function countsAnswer<T>(
  response: Response,
  data: T,
  file: { format: 'json' | 'csv'; name: string; write: (data: T) => string },
): { data: T } | string {
  if (file.format === 'json') {
    response.set('Cache-Control', 'no-store');
    return { data };
  }
  response.set(fileHeaders('text/csv', `${file.name}.csv`));
  return file.write(data);
}
