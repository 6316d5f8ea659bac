import type { DynamicLinkChanges } from '../dynamic-links/dynamic-link';
import type { LockedLink } from '../dynamic-links/dynamic-link.repository';
import type { BulkOperation, Placed } from './bulk-operation';

/**
 * Collects operations that have the same results if they run by kind: creations, then updates, then deletions. So operations of
 * mixed kinds share statements too.
 */
export class BulkWindow {
  readonly creations: Placed<'create'>[] = [];
  readonly updates: Placed<'update'>[] = [];
  readonly deletions: Placed<'delete'>[] = [];
  readonly #doomed = new Set<string>();
  /** Paths and external ids that deletions leave. */
  readonly #leftByDeletions = new Set<string>();
  /** Whether a deletion leaves slugs, which are not known. */
  #leavesSlugs = false;
  /** Those that updates take or leave. */
  readonly #changedByUpdates = new Set<string>();

  /**
   * @param links those of the project by id, as they are before the window
   * @param isLimited whether a quota limits creations, so that a deletion may allow one
   */
  constructor(
    private readonly links: ReadonlyMap<string, LockedLink>,
    private readonly isLimited: boolean,
  ) {}

  /** Returns whether the operations so far must run before this one. */
  mustPrecede(operation: BulkOperation): boolean {
    if (operation.op === 'create') {
      if (this.isLimited && this.deletions.length > 0) return true;
      return (
        this.#mayBeLeft(operation.fields) || keysOf(operation.fields).some((key) => this.#changedByUpdates.has(key))
      );
    }
    if (operation.op !== 'update') return false;
    return this.#doomed.has(operation.id) || this.#mayBeLeft(operation.changes);
  }

  /** Returns whether a deletion may leave one of the names. */
  #mayBeLeft(names: Names): boolean {
    return (
      (this.#leavesSlugs && names.customPath !== undefined) ||
      keysOf(names).some((key) => this.#leftByDeletions.has(key))
    );
  }

  add(operation: Placed<'create' | 'update' | 'delete'>): void {
    if (operation.op === 'create') this.creations.push(operation);
    else if (operation.op === 'update') {
      this.updates.push(operation);
      const taken = keysOf(operation.changes);
      if (taken.length === 0 && operation.changes.externalId === undefined) return;
      for (const key of [...taken, ...this.#keysOf(operation.id)]) this.#changedByUpdates.add(key);
    } else {
      this.deletions.push(operation);
      this.#doomed.add(operation.id);
      if (this.links.get(operation.id)?.hasShortLinks) this.#leavesSlugs = true;
      for (const key of this.#keysOf(operation.id)) this.#leftByDeletions.add(key);
      // The link may have got other names in this window.
      for (const key of this.#changedByUpdates) this.#leftByDeletions.add(key);
    }
  }

  #keysOf(id: string): string[] {
    const link = this.links.get(id);
    return link ? keysOf(link) : [];
  }
}

type Names = Pick<DynamicLinkChanges, 'customPath' | 'externalId'>;

const keysOf = ({ customPath, externalId }: Names): string[] => [
  ...(customPath === undefined ? [] : [`path ${customPath}`]),
  ...(typeof externalId === 'string' ? [`id ${externalId}`] : []),
];
