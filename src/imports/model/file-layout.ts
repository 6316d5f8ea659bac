import type { Encoding } from '../sources/text-encoding';

/** How a file is read below its head. `start` is the position of the first row. `encoding` is UTF-8 by default. */
export type FileLayout = { start: number; encoding?: Encoding } & (
  { kind: 'csv'; delimiter: string; header: readonly string[] } | { kind: 'array' | 'lines' }
);
