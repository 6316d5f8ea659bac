import type { SourceRecord } from '../import-sources/import-source';
import type { PlannedLink, RowProblem, RowResult } from '../import-model/import-row';
import type { RowFields } from './row-reader';

/** A row as a record, or the reason why it is not one. */
export interface ReadableRow {
  number: number;
  record: SourceRecord | null;
  fault: string | null;
}

/** A row with its outcome, and with its fields if it writes a link. */
export interface PlannedRow {
  result: RowResult;
  write: { kind: 'created' | 'replaced'; link: PlannedLink; fields: RowFields } | null;
}

/** Returns the problem of a row that is valid. */
export const serviceFault = (verb: 'read' | 'write'): RowProblem => ({
  field: null,
  reason: `The service cannot ${verb} this row; its operator finds the cause in the log`,
});
