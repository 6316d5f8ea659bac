import type { LinkOriginFields } from '../../links/dynamic-links/dynamic-link';
import type { UnmappedField } from '../sources/import-source';

/**
 * Lists the results of a row: it `created` or `replaced` a link, or left an equal one `unchanged`. It met a link that differs
 * (`conflict`), or was `refused` because it is no valid link. In a dry run, it would.
 */
export const outcomes = ['created', 'replaced', 'unchanged', 'conflict', 'refused'] as const;
export type Outcome = (typeof outcomes)[number];

/** A reason for a conflict or a refusal. `field` is null if the whole row is at fault. */
export interface RowProblem {
  field: string | null;
  reason: string;
}

export interface ImportRow {
  /** From 1. The header of a CSV file has no number. */
  number: number;
  /** The row as it was sent. Null if it is too large for a page, or cannot be read. */
  bytes: Buffer | null;
  /** Why the row cannot be read, or null. */
  fault: string | null;
  outcome: Outcome | null;
  linkId: string | null;
  problems: readonly RowProblem[];
  unmapped: readonly UnmappedField[];
}

export interface RowResult extends Omit<ImportRow, 'bytes' | 'fault'> {
  outcome: Outcome;
  /** The state of the link after the row, if the row writes it. */
  link: PlannedLink | null;
}

/** A link as far as later rows can meet it. */
export interface PlannedLink {
  id: string;
  path: string | null;
  externalId: string | null;
  /** Stands for all other fields but the origin. */
  digest: string;
  origin: Pick<LinkOriginFields, 'importedFrom' | 'originalClicks'>;
}
