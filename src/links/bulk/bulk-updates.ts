import { DomainError } from '../../shared/domain-error';
import { requireFound } from '../../shared/require-found';
import type { UnitOfWork } from '../../shared/unit-of-work';
import { DynamicLink, type DynamicLinkChanges } from '../dynamic-links/dynamic-link';
import type {
  DynamicLinkRepository,
  LinkUpdate,
  LockedLink,
  NameOwners,
} from '../dynamic-links/dynamic-link.repository';
import type { BulkResult, Placed } from './bulk-operation';
import type { BulkContext } from './bulk-context';
import { LinkChanged } from './bulk.errors';
import { NameClaims } from './name-claims';

type Update = Placed<'update'>;

const noOwners: NameOwners = { paths: new Map(), externalIds: new Map() };

/**
 * Updates the links of several operations. Updates of different links share a statement if they set the same fields, and if no name
 * depends on another of them. One that fails changes nothing.
 */
export class BulkUpdates {
  /** Updates that wait for a statement, by the ids of their links. */
  readonly #waiting = new Map<string, Update>();

  /** @param existing links that the project has, and that are locked. Updates keep them as they are stored. */
  constructor(
    private readonly links: DynamicLinkRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly context: Pick<BulkContext, 'projectId' | 'plan' | 'references' | 'requireUnbroken'>,
    private readonly existing: Map<string, LockedLink>,
    private readonly results: BulkResult[],
  ) {}

  async run(operations: Update[]): Promise<void> {
    const names = new NameClaims(await this.#ownersOf(operations));
    for (const operation of operations) {
      try {
        // Two updates of one link are made one after the other.
        if (this.#waiting.has(operation.id)) await this.#writeWaiting();
        this.#check(operation);
        if (names.claim(operation.id, operation.changes)) {
          await this.#writeWaiting();
          await this.#write([operation]);
        } else this.#waiting.set(operation.id, operation);
      } catch (error) {
        this.#refuse(operation, error);
      }
    }
    await this.#writeWaiting();
  }

  /**
   * @throws NotFound, LinkChanged, InvalidInput, IosAppNotFound, AndroidAppNotFound, CrossScope, FeatureNotInPlan,
   * BreaksReleasedApp
   */
  #check({ id, changes, updatedAt }: Update): void {
    const link = requireFound(this.existing.get(id) ?? null, 'Dynamic link');
    if (updatedAt !== null && updatedAt.getTime() !== link.updatedAt.getTime()) throw new LinkChanged();
    this.context.references.requireValid(changes);
    DynamicLink.requireChange(link, this.context.plan, changes);
    this.context.requireUnbroken(link, changes);
  }

  async #ownersOf(operations: Update[]): Promise<NameOwners> {
    const paths = operations.flatMap(({ changes }) => changes.customPath ?? []);
    const ids = operations.flatMap(({ changes }) => changes.externalId ?? []);
    return paths.length + ids.length > 0 ? this.links.findOwners(this.context.projectId, paths, ids) : noOwners;
  }

  async #writeWaiting(): Promise<void> {
    const byFields = new Map<string, Update[]>();
    for (const update of this.#waiting.values()) {
      const fields = Object.keys(update.changes).sort().join();
      const group = byFields.get(fields);
      if (group) group.push(update);
      else byFields.set(fields, [update]);
    }
    this.#waiting.clear();
    for (const group of byFields.values()) await this.#write(group);
  }

  /** Writes updates of the same fields by one statement. If it is refused, its halves show because of which links. */
  async #write(updates: Update[]): Promise<void> {
    const rows = updates.map((update) => this.#toStored(update));
    const write = () => this.links.updateAll(this.context.projectId, rows);
    try {
      // A savepoint takes two round trips.
      const links = await (mayBeRefused(updates[0]!.changes) ? this.unitOfWork.attempt(write) : write());
      for (const { at, id } of updates) {
        const link = requireFound(links.get(id) ?? null, 'Dynamic link');
        this.results[at] = { op: 'update', link };
        const { customPath, externalId, iosDeferredDeepLink, iosAppId, androidAppId, updatedAt } = link;
        const stored = { customPath, externalId, iosDeferredDeepLink, iosAppId, androidAppId, updatedAt };
        this.existing.set(id, { ...this.existing.get(id)!, ...stored });
      }
    } catch (error) {
      if (updates.length === 1 || !(error instanceof DomainError)) return this.#refuse(updates[0]!, error);
      const half = updates.length >> 1;
      await this.#write(updates.slice(0, half));
      await this.#write(updates.slice(half));
    }
  }

  #toStored({ id, changes: { tags, ...others } }: Update): LinkUpdate {
    return { id, changes: { ...others, ...(tags && { tagIds: this.context.references.tagFields(tags).tagIds }) } };
  }

  /** @throws the error if it is no refusal of the operation */
  #refuse({ at }: Update, error: unknown): void {
    if (!(error instanceof DomainError)) throw error;
    this.results[at] = { error };
  }
}

/** Returns whether a constraint may refuse the changes. */
const mayBeRefused = (changes: DynamicLinkChanges): boolean => constrained.some((field) => field in changes);

const constrained: (keyof DynamicLinkChanges)[] = [
  'customPath',
  'externalId',
  'iosAppId',
  'androidAppId',
  'template',
  'activeFrom',
  'activeUntil',
];
