import { Injectable } from '@nestjs/common';
import { AndroidAppNotFound } from '../android-apps/android-app.errors';
import { BatchInserter } from '../../platform/postgres/batch-inserter';
import { BatchLoader } from '../../platform/postgres/batch-loader';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { outsideRequests } from '../../platform/postgres/deadline';
import { OwnedRows } from '../../platform/postgres/owned-rows';
import type { ListOf } from '../../platform/postgres/list-sql';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { QuotaReservation } from '../accounts/quotas';
import { IosAppNotFound } from '../ios-apps/ios-app.errors';
import type { LinkPath } from '../link-paths/custom-path';
import { PgLinkSearchTotals } from '../link-search/pg-link-search-totals';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import type {
  ArchivedChoice,
  DynamicLink,
  DynamicLinkSortKey,
  DynamicLinkWithApps,
  NewLink,
  TagIds,
} from './dynamic-link';
import { CustomPathExists, ExternalIdExists } from './dynamic-link.errors';
import { type DynamicLinkListRequest, DynamicLinkRepository, type StoredChanges } from './dynamic-link.repository';
import { DynamicLinkSchema } from './dynamic-link.schema';

/** The short links that a deletion removes itself. A statement with more could exceed its time limit. */
const maxDeletedShortLinks = 1000;

/** The same for each of many links that are deleted together. */
const maxDeletedShortLinksOfEach = 10;

const live = 't.deleted_at IS NULL';

/** Selects the embedded summaries in the same query. */
const apps = `
  (SELECT json_build_object('id', app.id, 'name', app.name, 'bundle_id', app.bundle_id)
   FROM ios_apps app WHERE app.project_id = t.project_id AND app.id = t.ios_app_id) AS "iosApp",
  (SELECT json_build_object('id', app.id, 'name', app.name, 'package_name', app.package_name)
   FROM android_apps app WHERE app.project_id = t.project_id AND app.id = t.android_app_id) AS "androidApp"`;

/** Links that are deleted and not purged yet are few, mostly none. */
const notMarked = `t.id <> ALL (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL))`;

const keptSum = (counts: string): string =>
  `SELECT coalesce(sum(${counts}), 0) AS count FROM project_counts WHERE project_id = $1`;

/** Selects the names of tags. Those that were merged lead to the other tag, and removed ones are left out. */
const tagNames = `
  CASE WHEN t.tag_ids = '{}' THEN '[]'::json ELSE (
    SELECT coalesce(json_agg(named.name ORDER BY named.place), '[]') FROM (
      SELECT tag.name, min(given.place) AS place
      FROM unnest(t.tag_ids) WITH ORDINALITY AS given (id, place) JOIN tags own ON own.id = given.id
        JOIN tags tag ON tag.id = coalesce(own.merged_into, own.id) AND tag.retired_at IS NULL
      GROUP BY tag.id, tag.name
    ) AS named
  ) END AS tags`;

const links: ListOf<DynamicLinkSortKey> = {
  owner: 'project_id',
  only: live,
  onlyInPages: notMarked,
  conditions: {
    external_id: (value) => `t.external_id = ${value} AND ${live}`,
    // The index has links with tags only.
    tag: (ids) => `t.tag_ids <> '{}' AND t.tag_ids && ${ids}::uuid[]`,
    exclude_tag: (ids) => `NOT t.tag_ids && ${ids}::uuid[]`,
  },
  searched: ['name', 'custom_path'],
  sortColumns: {
    name: 'name COLLATE "C"',
    custom_path: 'custom_path',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
  extra: `${apps}, ${tagNames}`,
  // Counting the rows of a large project takes longer than reading a page of them.
  keptTotal: keptSum('dynamic_links'),
  version: 'SELECT coalesce(sum(dynamic_link_changes), 0) FROM project_counts WHERE project_id = $1',
};

/** Returns the list of each choice. Indexes of the orders include `archived`, and one has archived links only. */
const listsOf = (totals: PgLinkSearchTotals): Record<ArchivedChoice, ListOf<DynamicLinkSortKey>> => ({
  any: { ...links, keptTotals: totals.withArchived },
  false: {
    ...links,
    only: `${live} AND NOT t.archived`,
    onlyInPages: `NOT t.archived AND ${notMarked}`,
    keptTotal: keptSum('dynamic_links - archived_links'),
    keptTotals: totals,
  },
  true: {
    ...links,
    only: `${live} AND t.archived`,
    onlyInPages: `t.archived AND ${notMarked}`,
    keptTotal: keptSum('archived_links'),
  },
});

@Injectable()
export class TypeormDynamicLinkRepository extends DynamicLinkRepository {
  readonly #lists: Record<ArchivedChoice, OwnedRows<DynamicLinkWithApps, DynamicLinkSortKey>>;
  readonly #links: OwnedRows<DynamicLinkWithApps, DynamicLinkSortKey>;
  readonly #batches: BatchLoader<DynamicLinkWithApps>;
  readonly #insertions: BatchInserter<DynamicLinkWithApps>;

  constructor(
    private readonly context: TransactionContext,
    keptTotals: PgLinkSearchTotals,
  ) {
    super();
    const lists = listsOf(keptTotals);
    const rowsOf = (choice: ArchivedChoice) =>
      new OwnedRows<DynamicLinkWithApps, DynamicLinkSortKey>(context, DynamicLinkSchema, lists[choice]);
    this.#lists = { false: rowsOf('false'), true: rowsOf('true'), any: rowsOf('any') };
    this.#links = this.#lists.any;
    const findAll = async (ids: string[]) => {
      const found = await this.#links.findAll(`t.id = ANY($1) AND ${live}`, [ids]);
      return new Map(found.map((link) => [link.id, link]));
    };
    this.#batches = new BatchLoader(findAll, { perHolder: true });
    this.#insertions = new BatchInserter(context, this.#links);
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

  async findTaken(
    projectId: string,
    paths: string[],
    externalIds: string[],
  ): Promise<{ paths: string[]; externalIds: string[] }> {
    const [row] = await this.context.read<{ paths: string[]; externalIds: string[] }>(
      `SELECT ARRAY(SELECT path FROM link_paths WHERE project_id = $1 AND path = ANY ($2)) AS paths,
         ARRAY(SELECT external_id FROM dynamic_links
               WHERE project_id = $1 AND external_id = ANY ($3) AND deleted_at IS NULL) AS "externalIds"`,
      [projectId, paths, externalIds],
    );
    return row!;
  }

  findNamed(projectId: string, paths: string[], externalIds: string[]): Promise<DynamicLink[]> {
    return this.#links.findAll(
      `t.id IN (
         SELECT own.dynamic_link_id FROM link_paths own JOIN dynamic_links link ON link.id = own.dynamic_link_id
         WHERE own.project_id = $1 AND own.path = ANY ($2) AND own.path = link.custom_path COLLATE "C"
         UNION
         SELECT id FROM dynamic_links WHERE project_id = $1 AND external_id = ANY ($3) AND deleted_at IS NULL
       ) AND ${live}`,
      [projectId, paths, externalIds],
    );
  }

  async lockAll(projectId: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.context.read(
      `SELECT FROM dynamic_links WHERE project_id = $1 AND id = ANY ($2) AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
      [projectId, ids],
    );
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
    const rows = await this.context.read('SELECT FROM link_paths WHERE project_id = $1 AND path = $2', [
      projectId,
      path,
    ]);
    return rows.length > 0;
  }

  list(projectId: string, request: DynamicLinkListRequest): Promise<Page<DynamicLinkWithApps>> {
    const filters = {
      ios_app_id: request.iosAppId,
      android_app_id: request.androidAppId,
      external_id: request.externalId,
      tag: request.tags?.with,
      exclude_tag: request.tags?.without,
    };
    return this.#lists[request.archived].page(projectId, request, filters);
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
    return mapConstraintErrors(errorsByConstraint(changes), () => this.#links.update(projectId, id, changes));
  }

  async delete(projectId: string, id: string): Promise<{ rowsRemain: boolean } | null> {
    const [row] = await this.context.write<{ complete: boolean | null }>(
      'SELECT delete_dynamic_link($1, $2, $3) AS complete',
      [projectId, id, maxDeletedShortLinks],
    );
    return row!.complete === null ? null : { rowsRemain: !row!.complete };
  }

  async deleteAll(projectId: string, ids: string[]): Promise<Map<string, { rowsRemain: boolean }>> {
    const rows = await this.context.write<{ id: string; complete: boolean | null }>(
      'SELECT id, delete_dynamic_link($1, id, $3) AS complete FROM unnest($2::uuid[]) AS given (id)',
      [projectId, ids, maxDeletedShortLinksOfEach],
    );
    return new Map(rows.flatMap(({ id, complete }) => (complete === null ? [] : [[id, { rowsRemain: !complete }]])));
  }

  async purgeSome(batch: number): Promise<boolean> {
    // The purge may take longer than the request that began it.
    const [row] = await outsideRequests(() =>
      this.context.manager.query<{ done: boolean }[]>('SELECT purge_deleted_links($1) AS done', [batch]),
    );
    return row!.done;
  }
}

const errorsOf = (link: NewLink, quota: QuotaReservation | undefined) => ({
  ...errorsByConstraint(link),
  ...(quota && { dynamic_links_quota: (used: string | undefined) => quota.reached(Number(used)) }),
});

const checkOf = (quota: QuotaReservation | undefined) =>
  quota && { function: 'reserve_dynamic_links', values: [quota.accountId, quota.limit] };

const errorsByConstraint = ({ customPath, externalId }: StoredChanges) => ({
  dynamic_links_external_id_unique: () => new ExternalIdExists(String(externalId)),
  link_paths_one_namespace: () => new CustomPathExists(String(customPath)),
  dynamic_links_ios_app_fk: () => new IosAppNotFound(),
  dynamic_links_android_app_fk: () => new AndroidAppNotFound(),
  dynamic_links_project_fk: () => new NotFound('Project'),
});
