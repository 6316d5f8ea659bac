import type { DomainError } from '../../shared/domain-error';
import type { DynamicLink, HashedChanges, HashedLink } from '../dynamic-links/dynamic-link';

export const maxBulkOperations = 1000;

export const bulkKinds = ['create', 'update', 'delete'] as const;

/** An operation of a bulk request. One with invalid fields is its error. */
export type BulkOperation =
  | { op: 'create'; fields: HashedLink }
  | { op: 'update'; id: string; changes: HashedChanges; updatedAt: Date | null }
  | { op: 'delete'; id: string }
  | { op: 'invalid'; error: DomainError };

export type Placed<Op extends BulkOperation['op']> = Op extends unknown
  ? Extract<BulkOperation, { op: Op }> & { at: number }
  : never;

export type BulkResult = { op: 'create' | 'update'; link: DynamicLink } | { op: 'delete' } | { error: DomainError };

/** Returns the fields that the operation sets; none of a deletion. */
export function fieldsOf(operation: BulkOperation): HashedChanges[] {
  if (operation.op === 'create') return [operation.fields];
  return operation.op === 'update' ? [operation.changes] : [];
}
