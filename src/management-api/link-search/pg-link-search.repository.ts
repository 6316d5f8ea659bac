import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { LinkCount, LinkTexts } from './link-counts';
import { LinkSearchRepository, type Place, type SearchedProject } from './link-search.repository';

/** Changes that a sweep counts per project. */
const maxCounted = 20_000;

interface TextsRow {
  iosAppId: string | null;
  androidAppId: string | null;
  names: string[];
  paths: string[];
  changes?: number[];
}

/** Selects how many pairs of apps the links of a project can have. */
const appPairsOf = (table: string): string =>
  `(1 + (SELECT count(*) FROM ios_apps AS app WHERE app.project_id = ${table}.project_id))
   * (1 + (SELECT count(*) FROM android_apps AS app WHERE app.project_id = ${table}.project_id))`;

@Injectable()
export class PgLinkSearchRepository extends LinkSearchRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async noteLarge(minLinks: number, maxAppPairs: number): Promise<void> {
    await this.#write(
      `INSERT INTO link_search_projects (project_id)
       SELECT project_id FROM project_counts JOIN projects ON projects.id = project_id AND deleted_at IS NULL
       GROUP BY project_id HAVING sum(dynamic_links) >= $1 AND ${appPairsOf('project_counts')} <= $2
       ON CONFLICT DO NOTHING`,
      [minLinks, maxAppPairs],
    );
  }

  async outgrown(minLinks: number, maxAppPairs: number): Promise<string[]> {
    const rows = await this.context.read<{ id: string }>(
      `SELECT search.project_id AS id FROM link_search_projects AS search JOIN projects ON projects.id = search.project_id
       WHERE projects.deleted_at IS NOT NULL
         OR (SELECT sum(dynamic_links) FROM project_counts AS kept WHERE kept.project_id = search.project_id) < $1
         OR ${appPairsOf('search')} > $2`,
      [minLinks, maxAppPairs],
    );
    return rows.map(({ id }) => id);
  }

  async setUnbuilt(projectId: string): Promise<void> {
    await this.#write('UPDATE link_search_projects SET built_at = NULL WHERE project_id = $1', [projectId]);
  }

  async forget(projectId: string): Promise<void> {
    await this.#write('DELETE FROM link_search_projects WHERE project_id = $1', [projectId]);
    await this.#write('DELETE FROM link_search_changes WHERE project_id = $1', [projectId]);
  }

  async projects(): Promise<SearchedProject[]> {
    return this.context.read<SearchedProject>(
      `SELECT project_id AS "projectId", built_at AS "builtAt", built_links::float8 AS "builtLinks",
         (SELECT coalesce(sum(dynamic_links), 0) FROM project_counts AS kept WHERE kept.project_id = search.project_id)::float8 AS links,
         (SELECT coalesce(sum(archived_links), 0) FROM project_counts AS kept WHERE kept.project_id = search.project_id)::float8 AS archived,
         (SELECT count(*) FROM (
            SELECT FROM link_search_changes AS change WHERE change.project_id = search.project_id LIMIT ${maxCounted}
          ) AS counted)::int AS changes,
         coalesce((SELECT sum(dynamic_links) FROM project_counts AS kept WHERE kept.project_id = search.project_id)::float8
           / (SELECT greatest(reltuples, 1) FROM pg_class WHERE oid = 'dynamic_links'::regclass), 0) AS share,
         cardinality(show_trgm('ü')) > 0 AS "hasAllLetters"
       FROM link_search_projects AS search JOIN projects ON projects.id = search.project_id AND projects.deleted_at IS NULL`,
    );
  }

  async areAllNoted(projectId: string): Promise<boolean> {
    // The row is committed by now. A transaction that did not see it has an id before this one.
    await this.#write(
      `UPDATE link_search_projects SET all_since = pg_snapshot_xmax(pg_current_snapshot())
       WHERE project_id = $1 AND all_since IS NULL`,
      [projectId],
    );
    const [row] = await this.context.read<{ ended: boolean }>(
      `SELECT pg_snapshot_xmin(pg_current_snapshot()) >= all_since AS ended FROM link_search_projects WHERE project_id = $1`,
      [projectId],
    );
    return row?.ended === true;
  }

  async lock(projectId: string, builtAt: Date | null): Promise<boolean> {
    const rows = await this.context.read(
      `SELECT FROM link_search_projects WHERE project_id = $1 AND built_at IS NOT DISTINCT FROM $2
       FOR UPDATE SKIP LOCKED`,
      [projectId, builtAt],
    );
    return rows.length > 0;
  }

  async lockSnapshot(projectId: string, builtAt: Date | null): Promise<boolean> {
    await this.#write('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    return this.lock(projectId, builtAt);
  }

  async skip(projectId: string, from: Place | null, links: number): Promise<Place | null> {
    // Marked and archived links count too, so that the index alone suffices.
    const [row] = await this.context.read<Place>(
      `SELECT created_at AS "createdAt", id FROM dynamic_links
       WHERE project_id = $1 AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT 1 OFFSET $4`,
      [projectId, ...valuesOf(from), links],
    );
    return row ?? null;
  }

  async read(
    projectId: string,
    from: Place | null,
    limit: number,
  ): Promise<{ texts: LinkTexts[]; last: Place } | null> {
    const rows = await this.context.read<TextsRow & Place>(
      `WITH batch AS MATERIALIZED (
         SELECT created_at, id, name, custom_path, ios_app_id, android_app_id, deleted_at IS NULL AND NOT archived AS counted
         FROM dynamic_links
         WHERE project_id = $1 AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT $4
       ), last AS (SELECT created_at, id FROM batch ORDER BY created_at DESC, id DESC LIMIT 1)
       SELECT ios_app_id AS "iosAppId", android_app_id AS "androidAppId", last.created_at AS "createdAt", last.id,
         coalesce(json_agg(lower(name)) FILTER (WHERE counted), '[]') AS names,
         coalesce(json_agg(lower(custom_path)) FILTER (WHERE counted), '[]') AS paths
       FROM batch CROSS JOIN last GROUP BY ios_app_id, android_app_id, last.created_at, last.id`,
      [projectId, ...valuesOf(from), limit],
    );
    const [first] = rows;
    return first ? { texts: rows, last: { createdAt: first.createdAt, id: first.id } } : null;
  }

  async removeSomeCounts(projectId: string, limit: number): Promise<boolean> {
    const rows = await this.#write(
      `WITH removed AS (DELETE FROM link_search_counts WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM link_search_counts WHERE project_id = $1 LIMIT $2)) RETURNING 1)
       SELECT FROM removed LIMIT 1`,
      [projectId, limit],
    );
    return rows.length > 0;
  }

  takeChanges(projectId: string, limit: number): Promise<LinkTexts[]> {
    return this.#write<TextsRow>(
      `WITH taken AS (DELETE FROM link_search_changes WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM link_search_changes WHERE project_id = $1 LIMIT $2)) RETURNING *)
       SELECT ios_app_id AS "iosAppId", android_app_id AS "androidAppId", json_agg(lower(name)) AS names,
         json_agg(lower(custom_path)) AS paths, json_agg(change) AS changes
       FROM taken GROUP BY ios_app_id, android_app_id`,
      [projectId, limit],
    );
  }

  async insertCounts(projectId: string, counts: LinkCount[]): Promise<void> {
    await this.#write(
      `INSERT INTO link_search_counts (project_id, text, ios_app_id, android_app_id, links)
       SELECT $1, * FROM unnest($2::text[], $3::uuid[], $4::uuid[], $5::bigint[])`,
      [projectId, ...columnsOf(counts)],
    );
  }

  async addCounts(projectId: string, counts: LinkCount[]): Promise<void> {
    await this.#write(
      `INSERT INTO link_search_counts AS kept (project_id, text, ios_app_id, android_app_id, links)
       SELECT $1, * FROM unnest($2::text[], $3::uuid[], $4::uuid[], $5::bigint[])
       ON CONFLICT ON CONSTRAINT link_search_counts_unique DO UPDATE SET links = kept.links + excluded.links`,
      [projectId, ...columnsOf(counts)],
    );
  }

  async longTexts(projectId: string): Promise<string[]> {
    const rows = await this.context.read<{ texts: string[] | null }>(
      `SELECT json_agg(DISTINCT text) AS texts FROM link_search_counts WHERE project_id = $1 AND char_length(text) > 1`,
      [projectId],
    );
    return rows[0]?.texts ?? [];
  }

  async setBuilt(projectId: string, links: number, hasAllShortTexts: boolean, characters: string): Promise<void> {
    await this.#write(
      `UPDATE link_search_projects SET built_at = now(), built_links = $2, has_all_short_texts = $3, characters = $4
       WHERE project_id = $1`,
      [projectId, links, hasAllShortTexts, characters],
    );
  }

  async setShortTexts(projectId: string, hasAllShortTexts: boolean, characters: string): Promise<void> {
    await this.#write(
      `UPDATE link_search_projects SET has_all_short_texts = has_all_short_texts AND $2,
         characters = (SELECT string_agg(DISTINCT character, '' ORDER BY character)
                       FROM regexp_split_to_table(characters || $3, '') AS character)
       WHERE project_id = $1`,
      [projectId, hasAllShortTexts, characters],
    );
  }

  async countsOf(projectId: string, texts: string[]): Promise<(number | null)[]> {
    const rows = await this.context.read<{ links: number | null }>(
      `SELECT (SELECT sum(kept.links)::float8 FROM link_search_counts AS kept
               WHERE kept.project_id = $1 AND kept.text = lower(given.text)) AS links
       FROM unnest($2::text[]) WITH ORDINALITY AS given (text, place) ORDER BY place`,
      [projectId, texts],
    );
    return rows.map(({ links }) => links);
  }

  asciiForms(texts: string[]): Promise<{ lower: string; form: string }[]> {
    return this.context.read(
      `SELECT lower(text) AS lower, ascii_form(text) AS form
       FROM unnest($1::text[]) WITH ORDINALITY AS given (text, place) ORDER BY place`,
      [texts],
    );
  }

  async charactersAround(
    projectId: string,
    search: string,
  ): Promise<{ text: string; characters: string[]; pairs: string[] } | null> {
    const [row] = await this.context.read<{ text: string; characters: string; pairs: string[] | null }>(
      `SELECT lower($2) AS text, characters, (
         SELECT json_agg(DISTINCT kept.text)
         FROM regexp_split_to_table(characters, '') AS character
           JOIN link_search_counts AS kept ON kept.project_id = $1 AND kept.text = character || lower($2)
         WHERE char_length($2) = 1
       ) AS pairs FROM link_search_projects WHERE project_id = $1 AND has_all_short_texts`,
      [projectId, search],
    );
    return row ? { text: row.text, characters: Array.from(row.characters), pairs: row.pairs ?? [] } : null;
  }

  #write<Row = unknown>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.context.read<Row>(sql, values);
  }
}

const valuesOf = (place: Place | null): [Date | string, string] =>
  place ? [place.createdAt, place.id] : ['-infinity', '00000000-0000-0000-0000-000000000000'];

const columnsOf = (counts: LinkCount[]): unknown[][] => [
  counts.map(({ text }) => text),
  counts.map(({ iosAppId }) => iosAppId),
  counts.map(({ androidAppId }) => androidAppId),
  counts.map(({ links }) => links),
];
