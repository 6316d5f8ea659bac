import type { JsonFault } from '../../platform/http/json-limits';
import type { Encoding } from '../sources/text-encoding';

/** A row of a file, which is a range of its bytes. */
export interface FileRow {
  start: number;
  end: number;
  next: number;
  bytes: Buffer | null;
  /** Why the row cannot be read, or null. */
  fault: string | null;
}

/** Ends an import whose file is broken. The message is for its caller. */
export class BrokenFile extends Error {}

/** Bytes of a row. A link with all fields at their limits has a tenth of it. */
export const maxRowBytes = 250_000;

export const tooLong = 'The row has more than 250 kB';

export const jsonFaults: Record<JsonFault, string> = {
  too_deep: 'The row nests arrays and objects too deep',
  too_many_values: 'The row has too many values',
};

/** Values of a row, as `jsonFaultOf` counts them. A page of rows is parsed in one turn of the event loop. */
export const maxRowValues = 3000;

/** How a file is read below its head. `start` is the position of the first row. `encoding` is UTF-8 by default. */
export type FileLayout = { start: number; encoding?: Encoding } & (
  | { kind: 'csv'; delimiter: string; header: readonly string[] }
  | { kind: 'array' | 'lines' }
);
