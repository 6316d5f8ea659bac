import type { DomainError } from '../../shared/domain-error';
import { maxTags } from '../tags/tag';
import { inField, InvalidInput } from '../../shared/problem';

/** Links that one request changes at most, because it is one transaction with the time limits of a request. */
export const maxFilteredLinks = 2000;

/** Links that a request may expect. With more, it changes the first ones, and says where the next one begins. */
export const maxExpectedLinks = 10_000_000;

export const bulkActions = ['add_tags', 'remove_tags', 'archive', 'unarchive', 'disable', 'enable', 'delete'] as const;
export type BulkActionName = (typeof bulkActions)[number];

export type BulkAction =
  | { name: 'add_tags' | 'remove_tags'; tags: string[] }
  | { name: Exclude<BulkActionName, 'add_tags' | 'remove_tags'> };

export interface BulkActionResult {
  /** Links that the filter finds. */
  matched: number;
  changed: number;
  /** Links that had the state already. */
  unchanged: number;
  failures: { id: string; name: string; error: DomainError }[];
  /** Links that the filter finds beyond those of this request. */
  remaining: number;
  /** The last link of this request; null if none remain. */
  nextAfter: string | null;
}

/** Returns the refusal of a link that has too many tags, as an update of that link has it. */
export const tooManyTags = (): InvalidInput =>
  InvalidInput.because(inField('tags', [{ code: 'too_big', path: [], message: `must have at most ${maxTags} items` }]));
