import { Injectable } from '@nestjs/common';
import { BatchInserter } from '../../platform/tables/batch-inserter';
import { BatchLoader } from '../../platform/tables/batch-loader';
import { isLockTimeout, mapConstraintErrors } from '../../platform/postgres/database-error';
import { actorParameter } from '../../platform/postgres/current-actor';
import { outsideRequests } from '../../platform/postgres/request-context';
import { LinkRows } from '../../platform/tables/link-rows';
import { reportTooExpensive } from '../../platform/tables/too-expensive';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { ConcurrencyLimited } from '../../platform/rate-limit/rate-limit.errors';
import type { QuotaReservation } from '../../tenancy/accounts/quotas';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { Page } from '../../shared/page';
import type {
  ArchivedChoice,
  DynamicLink,
  DynamicLinkSortKey,
  DynamicLinkWithApps,
  NewLink,
  TagIds,
} from './dynamic-link';
import {
  type DynamicLinkListRequest,
  DynamicLinkRepository,
  type LinkUpdate,
  type LockedLink,
  type NameOwners,
  type StoredChanges,
} from './dynamic-link.repository';
import { filtersOf, lists, live, pageByCounts } from './pg-dynamic-link-lists';
import { DynamicLinkSchema } from './dynamic-link.schema';
import { checkOf, errorsOf, errorsOfChanges } from './pg-dynamic-link-errors';

/** Short links that a deletion removes itself. A statement with more could exceed its time limit. */
const maxDeletedShortLinks = 1000;

@Injectable()
export class PgDynamicLinkRepository implements DynamicLinkRepository {
  readonly #lists: Record<ArchivedChoice, LinkRows<DynamicLinkWithApps, DynamicLinkSortKey>>;
  readonly #links: LinkRows<DynamicLinkWithApps, DynamicLinkSortKey>;
  readonly #batches: BatchLoader<DynamicLinkWithApps>;
  readonly #insertions: BatchInserter<DynamicLinkWithApps>;

  constructor(private readonly context: TransactionContext) {
    const rowsOf = (choice: ArchivedChoice) =>
      new LinkRows<DynamicLinkWithApps, DynamicLinkSortKey>(context, DynamicLinkSchema, lists[choice]);
    this.#lists = { false: rowsOf('false'), true: rowsOf('true'), any: rowsOf('any') };
    this.#links = this.#lists.any;
    this.#batches = new BatchLoader((ids) => this.#findById(ids), { perTenant: true });
    this.#insertions = new BatchInserter(context, this.#links);
  }

  async #findById(ids: string[]): Promise<Map<string, DynamicLinkWithApps>> {
    const links = await this.#links.findAll(`t.id = ANY($1) AND ${live}`, [ids]);
    return new Map(links.map((link) => [link.id, link]));
  }

  insert(link: NewLink & TagIds, quota?: QuotaReservation): Promise<DynamicLink> {
    return mapConstraintErrors(errorsOf(link, quota), () =>
      this.#insertions.insert(link as DynamicLinkWithApps, checkOf(quota)),
    );
  }

  insertAll(links: (NewLink & TagIds)[], quota?: QuotaReservation): Promise<void> {
    // If there are several, the caller finds out which one is refused.
    return mapConstraintErrors(errorsOf(links[0]!, quota), () =>
      this.#links.insertAll(links as DynamicLinkWithApps[], checkOf(quota)),
    );
  }

  findNamed(projectId: string, paths: string[], externalIds: string[]): Promise<DynamicLink[]> {
    // An array is computed once. A subquery may be computed for each link while the table has grown since its last ANALYZE.
    return this.#links.findAll(
      `t.id = ANY (ARRAY(
         SELECT own.dynamic_link_id FROM link_paths own JOIN dynamic_links link ON link.id = own.dynamic_link_id
         WHERE own.project_id = $1 AND own.path = ANY ($2) AND own.path = link.custom_path COLLATE "C"
         UNION ALL
         SELECT id FROM dynamic_links WHERE project_id = $1 AND external_id = ANY ($3) AND deleted_at IS NULL
       )) AND ${live}`,
      [projectId, paths, externalIds],
    );
  }

  async beginBulk(projectId: string): Promise<void> {
    try {
      await this.context.write('SELECT begin_bulk($1)', [projectId]);
    } catch (error) {
      throw isLockTimeout(error) ? new ConcurrencyLimited() : error;
    }
  }

  async findOwners(projectId: string, paths: string[], externalIds: string[]): Promise<NameOwners> {
    const rows = await this.context.read<{ name: string; owner: string; isPath: boolean }>(
      `SELECT path AS name, coalesce(short_link_id, dynamic_link_id) AS owner, true AS "isPath"
       FROM link_paths WHERE project_id = $1 AND path = ANY ($2)
       UNION ALL
       SELECT external_id, id, false FROM dynamic_links
       WHERE project_id = $1 AND external_id = ANY ($3) AND deleted_at IS NULL`,
      [projectId, paths, externalIds],
    );
    const ownersOf = (kind: boolean) =>
      new Map(rows.filter(({ isPath }) => isPath === kind).map(({ name, owner }) => [name, owner]));
    return { paths: ownersOf(true), externalIds: ownersOf(false) };
  }

  async lockAll(projectId: string, ids: string[]): Promise<Map<string, LockedLink>> {
    if (ids.length === 0) return new Map();
    const rows = await this.context.read<LockedLink & { id: string }>(
      `SELECT id, custom_path AS "customPath", external_id AS "externalId", ios_deferred_deep_link AS "iosDeferredDeepLink",
         ios_app_id AS "iosAppId", android_app_id AS "androidAppId", updated_at AS "updatedAt",
         EXISTS (SELECT FROM short_links WHERE project_id = $1 AND dynamic_link_id = t.id) AS "hasShortLinks"
       FROM dynamic_links t WHERE project_id = $1 AND id = ANY ($2) AND deleted_at IS NULL ORDER BY id FOR UPDATE OF t`,
      [projectId, ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Batches look-ups of an account, except in a transaction, whose own writes it must see. */
  async find(projectId: string, id: string): Promise<DynamicLinkWithApps | null> {
    if (this.context.isOpen) return this.#links.find(projectId, id);
    const link = await this.#batches.find(id);
    return link?.projectId === projectId ? link : null;
  }

  async findIdByExternalId(projectId: string, externalId: string): Promise<string | null> {
    const [row] = await this.context.read<{ id: string }>(
      `SELECT id FROM dynamic_links WHERE project_id = $1 AND external_id = $2 AND deleted_at IS NULL`,
      [projectId, externalId],
    );
    return row?.id ?? null;
  }

  findForUpdate(projectId: string, id: string): Promise<DynamicLinkWithApps | null> {
    return this.#links.findForUpdate(projectId, id);
  }

  async findProjectOf(id: string): Promise<string | null> {
    const [row] = await this.context.read<{ project_id: string }>(
      `SELECT link.project_id FROM dynamic_links link JOIN projects p ON p.id = link.project_id
       WHERE link.id = $1 AND link.deleted_at IS NULL AND p.deleted_at IS NULL`,
      [id],
    );
    return row?.project_id ?? null;
  }

  async hasPath(projectId: string, path: LinkPath): Promise<boolean> {
    const sql = 'SELECT FROM link_paths WHERE project_id = $1 AND path = $2';
    return (await this.context.read(sql, [projectId, path])).length > 0;
  }

  list(projectId: string, request: DynamicLinkListRequest): Promise<Page<DynamicLinkWithApps>> {
    return this.#lists[request.archived].page(projectId, request, filtersOf(request));
  }

  /** @throws QueryTooExpensive if PostgreSQL answers, but not this query within its time limit, or for too many counts */
  async listByCounts(
    projectId: string,
    request: Omit<DynamicLinkListRequest, 'sortBy'>,
    counts: ReadonlyMap<string, number>,
  ): Promise<Page<DynamicLinkWithApps>> {
    const { sql, values } = pageByCounts(projectId, request, counts);
    const [row] = await reportTooExpensive(this.context, () =>
      this.context.read<{ total: number; ids: string[] }>(sql, values),
    );
    const byId = await this.#findById(row!.ids);
    return { items: row!.ids.flatMap((id) => byId.get(id) ?? []), total: row!.total };
  }

  listAfter(
    projectId: string,
    after: Pick<DynamicLink, 'createdAt' | 'id'> | null,
    limit: number,
  ): Promise<DynamicLinkWithApps[]> {
    const start = after ? 'AND (t.created_at, t.id) > ($3, $4)' : '';
    return this.#links.findAll(
      `t.project_id = $1 AND ${live} ${start}
       AND EXISTS (SELECT FROM projects p WHERE p.id = $1 AND p.deleted_at IS NULL)
       ORDER BY t.created_at, t.id LIMIT $2`,
      [projectId, limit, ...(after ? [after.createdAt, after.id] : [])],
    );
  }

  update(projectId: string, id: string, changes: StoredChanges): Promise<DynamicLinkWithApps | null> {
    return mapConstraintErrors(errorsOfChanges(changes), () => this.#links.update(projectId, id, changes));
  }

  updateAll(projectId: string, links: LinkUpdate[]): Promise<Map<string, DynamicLink>> {
    // If there are several, the caller finds out which one is refused.
    return mapConstraintErrors(errorsOfChanges(links[0]!.changes), () => this.#links.updateAll(projectId, links));
  }

  async delete(projectId: string, id: string): Promise<{ rowsRemain: boolean } | null> {
    const [row] = await this.context.write<{ complete: boolean | null }>(
      'SELECT delete_dynamic_link($1, $2, $3) AS complete FROM set_actor($4)',
      [projectId, id, maxDeletedShortLinks, actorParameter()],
    );
    return row!.complete === null ? null : { rowsRemain: !row!.complete };
  }

  async deleteAll(projectId: string, ids: string[]): Promise<Map<string, { rowsRemain: boolean }>> {
    const rows = await this.context.write<{ id: string; complete: boolean }>(
      'SELECT deleted_id AS id, complete FROM delete_dynamic_links($1, $2, $3)',
      [projectId, ids, maxDeletedShortLinks],
    );
    return new Map(rows.map(({ id, complete }) => [id, { rowsRemain: !complete }]));
  }

  async purgeSome(batch: number): Promise<boolean> {
    // The purge may take longer than the request that began it.
    const [row] = await outsideRequests(() =>
      this.context.write<{ done: boolean }>('SELECT purge_deleted_links($1) AS done', [batch]),
    );
    return row!.done;
  }
}
