import type { Client } from 'pg';
import { advisoryLocks } from '../../platform/postgres/advisory-locks';
import { searchLimits } from './search-limits';

/** Each one is planned with, and its condition is evaluated, at each search and at each change of a link of any project. */
export const maxSearchIndexes = 16;

const prefix = 'dynamic_links_search_of_';

interface SearchIndex {
  project_id: string;
  /** Null for a deleted project. */
  project_name: string | null;
  /** An unfinished index answers no search, but each change of a link of the project is written to it. */
  state: 'ready' | 'unfinished';
  bytes: number;
  /** Scans since PostgreSQL's statistics were reset. A search makes one for names, and one for paths. */
  scans: number;
}

interface SearchIndexCandidate {
  project_id: string;
  project_name: string;
  links: number;
}

/** The links of each project, and their share of all. */
const selectCounts = `
  SELECT id, name, links, links / (SELECT greatest(reltuples, links, 1) FROM pg_class WHERE oid = 'dynamic_links'::regclass) AS share
  FROM projects CROSS JOIN LATERAL (
    SELECT coalesce(sum(dynamic_links), 0)::float8 AS links FROM project_counts WHERE project_id = projects.id
  ) AS counted WHERE deleted_at IS NULL`;

const selectIndexes = `
  SELECT project_id, projects.name AS project_name, CASE WHEN indisvalid THEN 'ready' ELSE 'unfinished' END AS state,
    pg_relation_size(index)::float8 AS bytes, coalesce(pg_stat_get_numscans(index), 0)::float8 AS scans
  FROM (
    SELECT class.oid AS index, indisvalid, substr(relname, ${prefix.length + 1})::uuid AS project_id
    FROM pg_index JOIN pg_class AS class ON class.oid = indexrelid
    WHERE indrelid = 'dynamic_links'::regclass AND relname ~ '^${prefix}[0-9a-f]{32}$'
  ) AS indexes LEFT JOIN projects ON projects.id = project_id AND deleted_at IS NULL`;

const sentenceOf = (share: number): string => `${Math.floor(share * 100)} % of all links`;

/**
 * Adds and removes trigram indexes that each have the links of one project. A search there reads no entries of other projects. The
 * planner finds such an index by its condition (docs/decisions/0035-search-in-large-projects.md).
 */
export class PgProjectSearchIndexes {
  /** @param client a connection without time limits, not by a pooler in transaction mode */
  constructor(private readonly client: Client) {}

  list(): Promise<SearchIndex[]> {
    return this.#query<SearchIndex>(`${selectIndexes} ORDER BY project_name, project_id`);
  }

  /** Returns the projects whose searches would be faster with an index, the largest first. */
  async candidates(): Promise<SearchIndexCandidate[]> {
    return this.#query<SearchIndexCandidate>(
      `SELECT id AS project_id, name AS project_name, links FROM (${selectCounts}) AS counted
       WHERE links >= $1 AND share < $2 AND id NOT IN (SELECT project_id FROM (${selectIndexes}) AS indexed)
       ORDER BY links DESC, id LIMIT $3`,
      [searchLimits.minLinksOfCandidates, searchLimits.maxShare, maxSearchIndexes],
    );
  }

  /**
   * Builds the index while links are read and written. An unfinished one is built again.
   * @throws Error if the project is deleted or not large, has a fifth of all links, or if there are too many indexes
   */
  async add(projectId: string): Promise<SearchIndex> {
    await this.#lock();
    const known = await this.#find(projectId);
    if (known?.state === 'ready') return known;
    await this.#refuseUseless(projectId);
    if (!known && (await this.list()).length >= maxSearchIndexes)
      throw new Error(`There are ${maxSearchIndexes} search indexes, which is the largest number. Remove one first.`);
    const name = nameOf(projectId);
    await this.#query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    // The id consists of hexadecimal digits and hyphens: `nameOf` refuses any other. A statement that builds takes no parameters.
    await this.#query(
      `CREATE INDEX CONCURRENTLY ${name} ON dynamic_links USING gin (name gin_trgm_ops, custom_path gin_trgm_ops)
       WHERE project_id = '${projectId}'`,
    );
    return (await this.#find(projectId))!;
  }

  /** Returns whether the project had an index. */
  async remove(projectId: string): Promise<boolean> {
    await this.#lock();
    const known = await this.#find(projectId);
    await this.#query(`DROP INDEX CONCURRENTLY IF EXISTS ${nameOf(projectId)}`);
    return known !== undefined;
  }

  async #find(projectId: string): Promise<SearchIndex | undefined> {
    return (await this.list()).find((index) => index.project_id === projectId);
  }

  async #refuseUseless(projectId: string): Promise<void> {
    const [project] = await this.#query<{ links: number; share: number }>(`${selectCounts} AND id = $1`, [projectId]);
    if (!project) throw new Error('Project not found');
    const { links, share } = project;
    if (links < searchLimits.minLinks)
      throw new Error(
        `The project has ${links} links. Only projects with ${searchLimits.minLinks} or more can have a search index.`,
      );
    if (share >= searchLimits.maxShare)
      throw new Error(
        `The project has ${sentenceOf(share)}. From ${sentenceOf(searchLimits.maxShare)} on, searches use the index of all projects.`,
      );
  }

  /** @throws Error if another command works */
  async #lock(): Promise<void> {
    // PostgreSQL looks if the command is still there, so that the statement of a killed one ends.
    await this.#query('SET client_connection_check_interval = 1000');
    const [row] = await this.#query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${advisoryLocks.searchIndexCommand}) AS locked`,
    );
    if (!row!.locked) throw new Error('Another command adds or removes a search index. Wait until it ends.');
  }

  async #query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]> {
    return (await this.client.query<Row>(sql, values)).rows;
  }
}

/** @throws Error if the id is no UUID in lower case */
function nameOf(projectId: string): string {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(projectId)) throw new Error(`${projectId} is no UUID`);
  return prefix + projectId.replaceAll('-', '');
}
