import { offsetOf, type PageRequest, type SortOrder } from '../../shared/page';
import { plannedByParameters } from '../postgres/resilient-client';
import type { Statement } from './row-statements';

/** Adds a value to the parameters of a statement, and returns its number. */
export type Push = (value: unknown) => number;

/** A list of rows of projects. The strings are constant SQL, never input. */
export interface ListDefinition<SortKey extends string> {
  /** A further condition, on the table as `t`. */
  only?: string;
  /** The same condition for lists without others, by columns of the indexes of `sortColumns`, so that an index alone can skip rows. */
  onlyInPages?: string;
  /** Conditions on the table as `t` of filters that are more than a column with a value, by their name. */
  conditions?: Record<string, (parameter: string) => string>;
  /** Texts of the table as `t` that searches find, folded by `fold_text`. */
  searched?: readonly string[];
  /** Each needs an index in `migrations/`. */
  sortColumns: Record<SortKey, string>;
  /** Further columns, as subqueries. PostgreSQL plans them in half the time of joins. */
  extra?: string;
  /** Returns the number of rows that match the filters, if something keeps it; null otherwise. */
  keptTotal?: (filters: Record<string, unknown>, push: Push) => string | null;
}

/** Numbers of rows. Tests lower them. */
export const listLimits = {
  /** Totals of searches and filters are exact up to this number. Elasticsearch counts as many by default. */
  maxCounted: 10_000,
  /** Maximum of rows that a scan in the order of a list reads, because the matches may be far away. Measured: 1 µs each. */
  maxScanned: 200_000,
};

/** The columns of a page beside the fields. The only row of an empty page has no `id`. */
export interface PageColumns {
  id: string | null;
  ofAll: string;
  isCounted: boolean;
}

/** Builds the SQL of one list: a request without its page. */
export class ListSql<SortKey extends string> {
  readonly #values: unknown[];
  /** The conditions of filters and search. */
  readonly #conditions: string[];
  readonly #column: string;

  constructor(
    private readonly table: string,
    private readonly list: ListDefinition<SortKey>,
    projectId: string,
    private readonly request: Pick<PageRequest<SortKey>, 'search' | 'sortBy'>,
    private readonly filters: Record<string, unknown>,
  ) {
    const { search, sortBy } = request;
    this.#column = list.sortColumns[sortBy];
    this.#values = [projectId];
    this.#conditions = Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        const parameter = `$${this.#values.push(value)}`;
        return list.conditions?.[name]?.(parameter) ?? `t.${name} = ${parameter}`;
      });
    if (search) {
      const pattern = `search_pattern($${this.#values.push(search)})`;
      this.#conditions.push(`(${list.searched!.map((text) => `${text} LIKE ${pattern}`).join(' OR ')})`);
    }
  }

  /**
   * Selects a page by ids first, because an index alone can skip rows. `fields` are evaluated for the rows of the page only. OFFSET 0
   * keeps the planner from reading the whole table for a join.
   */
  page(fields: string, request: PageRequest<SortKey>): Statement {
    const values = [...this.#values];
    const push: Push = (value) => values.push(value);
    const { sortOrder } = request;
    const parts = this.#conditions.length === 0 ? this.#allRows(request, push) : this.#matches(request, push);
    const sql = `WITH ${parts}
      SELECT ${fields}, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM ${this.table} WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value ${sortOrder}, page.id ${sortOrder}`;
    return { sql, values };
  }

  #allRows(request: PageRequest<SortKey>, push: Push): string {
    const { onlyInPages, only } = this.list;
    const where = this.#where([onlyInPages ?? only]);
    const total = this.#keptTotal(push) ?? `SELECT count(*) FROM ${this.table} t ${where}`;
    const counted = `counted AS MATERIALIZED (SELECT (${total})::bigint AS "ofAll", true AS "isCounted")`;
    const rows = (direction: SortOrder, condition: string, end: string) =>
      `SELECT t.id, t.${this.#column} AS value FROM ${this.table} t ${where}${condition} ${this.#order(direction)} ${end}`;
    const { sortOrder, limit } = request;
    // PostgreSQL plans a statement with a parameter as its limit at every call, and one without once per connection.
    if (request.page === 1) {
      const end = `LIMIT ${commonLimits.has(limit) ? limit : `$${push(limit)}`}`;
      return `${counted}, page AS (${rows(sortOrder, '', end)})`;
    }
    // Rows are skipped from the nearer end of the list, and not for a page past its end.
    const [offset, count] = [`$${push(offsetOf(request))}::bigint`, `$${push(limit)}::bigint`];
    const after = `((SELECT "ofAll" FROM counted) - ${offset})`;
    const isNear = `${offset} <= ${after}`;
    const fromEnd = `LIMIT greatest(least(${count}, ${after}), 0) OFFSET greatest(${after} - ${count}, 0)`;
    const opposite = sortOrder === 'asc' ? 'desc' : 'asc';
    return `${counted}, page AS (
      (${rows(sortOrder, ` AND ${isNear}`, `LIMIT ${count} OFFSET ${offset}`)})
      UNION ALL
      (${rows(opposite, ` AND NOT ${isNear} AND ${after} > 0`, fromEnd)})
    )`;
  }

  /**
   * Selects matches up to the limit of counts. If there are more, the statement scans the list in its order. If the scan ends before
   * the page does, it collects all matches. One more row than the page has tells whether another page follows.
   */
  #matches(request: PageRequest<SortKey>, push: Push): string {
    const { maxCounted, maxScanned } = listLimits;
    const offset = offsetOf(request);
    const where = this.#where([this.list.only, ...this.#conditions]);
    const columns = `SELECT t.id, t.${this.#column} AS value FROM ${this.table} t`;
    const total = this.request.search ? null : this.#keptTotal(push);
    const end = `LIMIT $${push(request.limit + 1)} OFFSET $${push(offset)}`;
    const inOrder = `ORDER BY value ${request.sortOrder}, id ${request.sortOrder} ${end}`;
    const others = [this.list.only, ...this.#conditions].filter(Boolean).join(' AND ');
    return `${plannedByParameters} (${columns} ${where} LIMIT ${maxCounted + 1}),
      counted AS MATERIALIZED (
        SELECT CASE WHEN count(*) <= ${maxCounted} THEN count(*) ELSE coalesce((${total ?? 'NULL::bigint'}), ${maxCounted}) END AS "ofAll",
          count(*) <= ${maxCounted} OR ${total !== null} AS "isCounted", count(*) > ${maxCounted} AS "areMany"
        FROM matches
      ), scan AS MATERIALIZED (
        SELECT t.id, t.value FROM (
          SELECT t.*, t.${this.#column} AS value FROM ${this.table} t ${this.#where([])} ${this.#order(request.sortOrder)}
          LIMIT ${offset < maxScanned ? maxScanned : 0}
        ) AS t WHERE (SELECT "areMany" FROM counted) AND ${others} ${inOrder}
      ), collected AS MATERIALIZED (
        ${columns} ${where} AND (SELECT "areMany" FROM counted) AND (SELECT count(*) FROM scan) <= $${push(request.limit)}
      ), page AS (
        (SELECT id, value FROM matches WHERE NOT (SELECT "areMany" FROM counted) ${inOrder})
        UNION ALL SELECT id, value FROM scan WHERE NOT EXISTS (SELECT FROM collected)
        UNION ALL (SELECT id, value FROM collected ${inOrder})
      )`;
  }

  /** Counts all matching rows as `total`, and selects the ids of a page in the order of the numbers. Rows without one have 0. */
  pageByNumbers(numbers: ReadonlyMap<string, number>, request: Omit<PageRequest<string>, 'sortBy'>): Statement {
    const values = [...this.#values];
    const push: Push = (value) => values.push(value);
    const { sortOrder, limit } = request;
    const sql = `WITH numbered AS MATERIALIZED (
        SELECT * FROM unnest($${push([...numbers.keys()])}::uuid[], $${push([...numbers.values()])}::bigint[]) AS numbered (id, number)
      ), ${plannedByParameters} (
        SELECT t.id, coalesce(numbered.number, 0) AS number FROM ${this.table} t LEFT JOIN numbered ON numbered.id = t.id
        ${this.#where([this.list.only, ...this.#conditions])}
      )
      SELECT (SELECT count(*) FROM matches)::int AS total, ARRAY(
        SELECT id FROM matches ORDER BY number ${sortOrder}, id ${sortOrder} LIMIT $${push(limit)} OFFSET $${push(offsetOf(request))}
      ) AS ids`;
    return { sql, values };
  }

  /** Counts the matching rows after an id as `total`, and selects the first `ids` of them. */
  matches(after: string | null, limit: number): Statement {
    const values = [...this.#values];
    const later = after === null ? '' : ` AND t.id > $${values.push(after)}`;
    const where = this.#where([this.list.only, ...this.#conditions]);
    const sql = `WITH ${plannedByParameters} (SELECT t.id FROM ${this.table} t ${where}${later})
      SELECT (SELECT count(*) FROM matches)::int AS total,
        ARRAY(SELECT id FROM matches ORDER BY id LIMIT $${values.push(limit)}) AS ids`;
    return { sql, values };
  }

  /** Locks rows in the order of their ids, and selects those that still match then: a row that was locked is checked again. */
  lock(ids: string[]): Statement {
    const values = [...this.#values];
    const where = this.#where([this.list.only, ...this.#conditions]);
    const sql = `SELECT t.id FROM ${this.table} t ${where} AND t.id = ANY ($${values.push(ids)})
      ORDER BY t.id FOR UPDATE OF t`;
    return { sql, values };
  }

  #where(conditions: (string | undefined)[]): string {
    return `WHERE ${['t.project_id = $1', ...conditions].filter(Boolean).join(' AND ')}`;
  }

  #order(direction: SortOrder): string {
    return `ORDER BY t.${this.#column} ${direction}, t.id ${direction}`;
  }

  #keptTotal(push: Push): string | null {
    return this.list.keptTotal?.(this.filters, push) ?? null;
  }
}

/** Page sizes that are part of the statement's text. Other sizes would only fill the table of named statements. */
const commonLimits: ReadonlySet<number> = new Set([10, 20, 25, 50, 100]);
