import type { Encoding } from '../import-sources/text-encoding';

/** How rows are split. `start` is the position of the first one. */
export type FileRows =
  | { kind: 'csv'; start: number; delimiter: string; header: readonly string[] }
  | { kind: 'array'; start: number }
  | { kind: 'lines'; start: number };

/** How a file is read below its head. `encoding` is UTF-8 by default. */
export type FileLayout = FileRows & { encoding?: Encoding };
