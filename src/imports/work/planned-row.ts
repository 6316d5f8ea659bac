import type { Plan } from '../../tenancy/accounts/plan';
import type { RowRecord } from '../files/row-record';
import type { Import } from '../model/import';
import type { RowProblem, RowResult } from '../model/import-row';
import type { Project } from '../../links/projects/project';
import type { RowFields } from './row-reader';

export interface BatchScope {
  job: Import;
  project: Project;
  plan: Plan;
}

/** A row as a record, or the reason why it is not one. */
export type ReadableRow = RowRecord & { number: number };

/** A row with its outcome, and with its fields if it writes a link. */
export interface PlannedRow extends RowResult {
  fields: RowFields | null;
}

/** Returns the problem of a row that is valid. */
export const serviceFault = (verb: 'read' | 'write'): RowProblem => ({
  field: null,
  reason: `The service cannot ${verb} this row; its operator finds the cause in the log`,
});
