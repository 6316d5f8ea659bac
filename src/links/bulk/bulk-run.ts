import { NotFound } from '../../shared/domain-error';
import type { UnitOfWork } from '../../shared/unit-of-work';
import type { DynamicLinkRepository, LockedLink } from '../dynamic-links/dynamic-link.repository';
import type { BulkContext } from './bulk-context';
import { BulkCreations } from './bulk-creations';
import { groupsOf, type ValidOperation } from './bulk-groups';
import type { BulkOperation, BulkResult, Placed } from './bulk-operation';
import { BulkUpdates } from './bulk-updates';

/** Runs operations in a transaction, with the results of their order. Many share statements, and one that fails changes nothing. */
export class BulkRun {
  readonly results: BulkResult[] = [];
  /** Whether a deleted link has rows that are purged later. */
  rowsRemain = false;
  /** Links of the project that operations name and that are not deleted yet, with their names. */
  readonly #existing = new Map<string, LockedLink>();
  readonly #creations: BulkCreations;
  readonly #updates: BulkUpdates;

  constructor(
    private readonly links: DynamicLinkRepository,
    unitOfWork: UnitOfWork,
    private readonly context: BulkContext,
    private readonly operations: BulkOperation[],
  ) {
    this.#creations = new BulkCreations(links, unitOfWork, context, this.results);
    this.#updates = new BulkUpdates(links, unitOfWork, context, this.#existing, this.results);
  }

  async run(): Promise<void> {
    const ids = this.operations.flatMap((operation) => ('id' in operation ? [operation.id] : []));
    for (const [id, link] of await this.links.lockAll(this.context.projectId, ids)) this.#existing.set(id, link);
    const valid: ValidOperation[] = [];
    for (const [at, operation] of this.operations.entries())
      if (operation.op === 'invalid') this.results[at] = { error: operation.error };
      else valid.push({ ...operation, at });
    for (const group of groupsOf(valid, this.#existing, this.context.quota !== null)) {
      await this.#creations.run(group.filter((operation) => operation.op === 'create'));
      await this.#updates.run(group.filter((operation) => operation.op === 'update'));
      await this.#deleteAll(group.filter((operation) => operation.op === 'delete'));
    }
  }

  async #deleteAll(operations: Placed<'delete'>[]): Promise<void> {
    const doomed = operations.map(({ id }) => id).filter((id) => this.#existing.has(id));
    const deleted = doomed.length > 0 ? await this.links.deleteAll(this.context.projectId, doomed) : new Map();
    if ([...deleted.values()].some(({ rowsRemain }) => rowsRemain)) this.rowsRemain = true;
    // A second deletion of a link finds none.
    for (const { at, id } of operations)
      this.results[at] = this.#existing.delete(id) ? { op: 'delete' } : { error: new NotFound('Dynamic link') };
  }
}
