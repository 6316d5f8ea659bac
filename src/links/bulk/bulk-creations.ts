import type { Plan } from '../../tenancy/accounts/plan';
import type { HeldQuota } from '../../tenancy/accounts/quotas';
import { generateCustomPath, maxDraws } from '../../link-paths/paths/custom-path';
import { DomainError } from '../../shared/domain-error';
import type { UnitOfWork } from '../../shared/unit-of-work';
import { DynamicLink, type NewLink, type TagIds } from '../dynamic-links/dynamic-link';
import { CustomPathExists, ExternalIdExists } from '../dynamic-links/dynamic-link.errors';
import type { DynamicLinkRepository } from '../dynamic-links/dynamic-link.repository';
import type { BulkResult, Placed } from './bulk-operation';
import type { BulkReferences } from './bulk-references';

/** A link to insert, with the place of its operation. */
interface Insertion {
  at: number;
  row: NewLink & TagIds;
  /** Attempts at a path that are left; none if the caller named it. */
  draws: number;
}

/** Creates the links of several operations by one statement. One that fails creates nothing. */
export class BulkCreations {
  constructor(
    private readonly links: DynamicLinkRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly context: { projectId: string; plan: Plan; quota: HeldQuota | null; references: BulkReferences },
    private readonly results: BulkResult[],
  ) {}

  async run(operations: Placed<'create'>[]): Promise<void> {
    const { quota } = this.context;
    let waiting = operations.flatMap((operation) => this.#insertionOf(operation));
    while (waiting.length > 0) {
      const used = quota ? await quota.countUsed() : 0;
      const free = quota ? quota.reservation.limit - used : Infinity;
      if (free <= 0) {
        for (const { at } of waiting) this.results[at] = { error: quota!.reservation.reached(used) };
        return;
      }
      const { admitted, passed } = await this.#admit(waiting, free);
      // In one order, so that statements with the same names do not wait for each other.
      await this.#insertAll(admitted.sort(byNames));
      // If a constraint refused one of them, the quota has space for one of the rest.
      waiting = waiting.slice(passed);
    }
  }

  #insertionOf({ at, fields }: Placed<'create'>): Insertion[] {
    const { projectId, plan, references } = this.context;
    try {
      references.requireValid(fields);
      const customPath = fields.customPath ?? generateCustomPath();
      // Rows of one statement set the same properties.
      const row = DynamicLink.create(projectId, plan, {
        ...fields,
        ...references.tagFields(fields.tags ?? []),
        customPath,
      });
      return [{ at, row, draws: fields.customPath === undefined ? maxDraws : 0 }];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.results[at] = { error };
      return [];
    }
  }

  /**
   * Returns the first insertions, as many as are free, and the number of those that it has looked at. It refuses those whose path or
   * external id is taken without an attempt, so that a repeated import does not fail link by link. The constraints decide about the
   * others.
   */
  async #admit(waiting: Insertion[], free: number): Promise<{ admitted: Insertion[]; passed: number }> {
    const named = waiting.filter(({ draws }) => draws === 0).map(({ row }) => row.customPath);
    const ids = waiting.flatMap(({ row }) => row.externalId ?? []);
    const owners =
      named.length + ids.length > 0 ? await this.links.findOwners(this.context.projectId, named, ids) : null;
    const paths = new Set<string>(owners?.paths.keys());
    const externalIds = new Set(owners?.externalIds.keys());
    const admitted: Insertion[] = [];
    let passed = 0;
    for (; passed < waiting.length && admitted.length < free; passed++) {
      const insertion = waiting[passed]!;
      const { customPath, externalId } = insertion.row;
      if (externalId !== null && externalIds.has(externalId)) this.#refuse(insertion, new ExternalIdExists(externalId));
      else if (paths.has(customPath) && insertion.draws === 0)
        this.#refuse(insertion, new CustomPathExists(customPath));
      else {
        admitted.push(insertion);
        paths.add(customPath);
        if (externalId !== null) externalIds.add(externalId);
      }
    }
    return { admitted, passed };
  }

  /** Inserts links by one statement. If it is refused, its halves show because of which links. */
  async #insertAll(insertions: Insertion[]): Promise<void> {
    const [first] = insertions;
    if (!first) return;
    try {
      const rows = insertions.map(({ row }) => row);
      await this.unitOfWork.attempt(() => this.links.insertAll(rows, this.context.quota?.reservation));
      for (const { at, row } of insertions) this.results[at] = { op: 'create', link: row as DynamicLink };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (insertions.length > 1) {
        const half = insertions.length >> 1;
        await this.#insertAll(insertions.slice(0, half));
        await this.#insertAll(insertions.slice(half));
      } else if (error instanceof CustomPathExists && first.draws > 1) await this.#insertAll([redrawn(first)]);
      else this.#refuse(first, error);
    }
  }

  #refuse({ at }: Insertion, error: DomainError): void {
    this.results[at] = { error };
  }
}

function byNames({ row: one }: Insertion, { row: other }: Insertion): number {
  const [first, second] = [one, other].map(({ externalId, customPath }) => `${externalId ?? ''}\0${customPath}`);
  return first! < second! ? -1 : 1;
}

function redrawn({ at, row, draws }: Insertion): Insertion {
  return { at, row: Object.assign(row, { customPath: generateCustomPath() }), draws: draws - 1 };
}
