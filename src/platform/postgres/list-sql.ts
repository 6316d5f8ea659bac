import { containing } from '../../shared/like-pattern';
import type { PageRequest, SortOrder } from '../../shared/page';
import type { KeptTotals, Narrowing } from './kept-totals';
import type { Route } from './known-list';

/** A list of rows of a table. The strings are constant SQL, never input. */
export interface ListDefinition<SortKey extends string> {
  owner: string;
  /** A further condition, on the table as `t`. */
  only?: string;
  /** The same condition for pages, by columns of the indexes of `sortColumns`, so that an index alone can skip rows. */
  onlyInPages?: string;
  /** Conditions on the table as `t` of filters that are more than a column with a value, by their name. */
  conditions?: Record<string, (parameter: string) => string>;
  searched?: readonly string[];
  /** Each needs an index in `migrations/`. */
  sortColumns: Record<SortKey, string>;
  /** Further columns, as subqueries. PostgreSQL plans them in half the time of joins. */
  extra?: string;
  keptTotal?: string;
  /** A number that differs whenever the owner's rows, or their order, differ. Without it, nothing about the list is cached. */
  version?: string;
  /** For owners with so many rows that counting them at each search takes too long. */
  keptTotals?: KeptTotals;
}

/** Builds the SQL of one list: a request without its page. */
export class ListSql<SortKey extends string> {
  readonly search: string | undefined;
  /** Names the list among all of its table. */
  readonly key: string;
  readonly values: unknown[];
  readonly where: string;
  readonly count: string;
  /** Whether the total is kept, so that it need not be cached. */
  readonly hasKeptTotal: boolean;
  /** Whether an index has the rows in their order. */
  readonly isIndexed: boolean;
  /** Whether the list is searched or filtered. */
  readonly hasConditions: boolean;
  /** Whether a walk in the list's order passes only rows that match the filters. */
  readonly passesFilteredOnly: boolean;
  /** The conditions that an index in the list's order fulfils. */
  readonly #indexed: string;
  readonly #others: string[];
  readonly #filters: string[];
  readonly #search: string[];
  /** The search as a condition that no index answers. */
  readonly #unindexedSearch: string[];
  readonly #column: string;

  constructor(
    readonly table: string,
    readonly list: ListDefinition<SortKey>,
    readonly ownerId: string,
    { search, sortBy }: Pick<PageRequest<SortKey>, 'search' | 'sortBy'>,
    readonly filters: Record<string, unknown>,
  ) {
    this.search = search || undefined;
    this.#column = list.sortColumns[sortBy];
    this.key = JSON.stringify([ownerId, sortBy, search, filters]);
    this.values = [ownerId];
    const only = list.onlyInPages ?? list.only;
    const owner = `t.${list.owner} = $1`;
    const conditions = [`${owner}${only ? ` AND ${only}` : ''}`];
    for (const [name, value] of Object.entries(filters)) {
      if (value === undefined) continue;
      const parameter = `$${this.values.push(value)}`;
      conditions.push(list.conditions?.[name]?.(parameter) ?? `t.${name} = ${parameter}`);
    }
    this.#filters = conditions.slice(1);
    const filterCount = this.#filters.length;
    const pattern = search ? `$${this.values.push(containing(search))}` : '';
    const searchOf = (field: (column: string) => string) =>
      search ? [`(${(list.searched ?? []).map((column) => `${field(column)} ILIKE ${pattern}`).join(' OR ')})`] : [];
    this.#search = searchOf((column) => `t.${column}`);
    this.#unindexedSearch = searchOf((column) => `(t.${column} || '')`);
    conditions.push(...this.#search);
    this.where = `WHERE ${conditions.join(' AND ')}`;
    this.hasConditions = conditions.length > 1;
    this.hasKeptTotal = conditions.length === 1 && list.keptTotal !== undefined;
    this.count = this.hasKeptTotal ? list.keptTotal! : `SELECT count(*) AS count FROM ${table} t ${this.where}`;
    // Each column of a filter has an index with `created_at`.
    const hasOtherFilter = Object.keys(list.conditions ?? {}).some((name) => filters[name] !== undefined);
    const isFilterIndexed = filterCount === 1 && !hasOtherFilter && this.#column === 'created_at';
    this.isIndexed = !search && (filterCount === 0 || isFilterIndexed);
    this.passesFilteredOnly = isFilterIndexed;
    this.#indexed = isFilterIndexed ? `${owner} AND ${conditions[1]}` : owner;
    this.#others = [...(only ? [only] : []), ...conditions.slice(isFilterIndexed ? 2 : 1)];
  }

  order(direction: SortOrder): string {
    return `ORDER BY t.${this.#column} ${direction}, t.id ${direction}`;
  }

  /**
   * Selects a page by ids first, because an index alone can skip rows. Rows that are skipped are not read, and `fields` are
   * evaluated for the rows of the page only. OFFSET 0 keeps the planner from reading the whole table for a join.
   * @param order of the result; the page may be read in the other direction
   */
  page(fields: string, order: SortOrder, route: Route, limit: number): { sql: string; values: unknown[] } {
    const values = [...this.values];
    const { direction, skipped } = route;
    const start = this.#startOf(route, values);
    const limited = commonLimits.has(limit) ? limit : `$${values.push(limit)}`;
    const sql = `SELECT ${fields}, page.value AS "sortValue"
      FROM (SELECT t.id, t.${this.#column} AS value FROM ${this.table} t ${this.where}${start}
            ${this.order(direction)} LIMIT ${limited} OFFSET $${values.push(skipped)}) AS page
      CROSS JOIN LATERAL (SELECT * FROM ${this.table} WHERE id = page.id OFFSET 0) AS t ${this.order(order)}`;
    return { sql, values };
  }

  /**
   * Selects a page like `page`, from at most `maxPassed` rows in the order of the list. Without that limit, the planner would
   * choose an index by its estimate of the matches. That is often wrong by orders of magnitude.
   */
  walk(
    fields: string,
    order: SortOrder,
    route: Route,
    limit: number,
    maxPassed: number,
  ): { sql: string; values: unknown[] } {
    const values = [...this.values];
    const { direction, skipped } = route;
    const start = this.#startOf(route, values);
    const others = this.#others.length > 0 ? `WHERE ${this.#others.join(' AND ')}` : '';
    const sql = `SELECT ${fields}, page.value AS "sortValue"
      FROM (SELECT t.id, t.value FROM (
              SELECT t.*, t.${this.#column} AS value FROM ${this.table} t WHERE ${this.#indexed}${start}
              ${this.order(direction)} LIMIT $${values.push(maxPassed)}
            ) AS t ${others} ORDER BY t.value ${direction}, t.id ${direction}
            LIMIT $${values.push(limit)} OFFSET $${values.push(skipped)}) AS page
      CROSS JOIN LATERAL (SELECT * FROM ${this.table} WHERE id = page.id OFFSET 0) AS t ${this.order(order)}`;
    return { sql, values };
  }

  /**
   * Finds all matching rows first, then selects the page, and counts them as `ofAll`. One row without an id comes back for an empty
   * page.
   * @param isOwnerFiltered whether the owner is a filter of the rows that other indexes find, because it has most of the table
   * @param narrowing a condition that holds for all matches, to find them by an index in place of the search
   */
  gather(
    fields: string,
    order: SortOrder,
    limit: number,
    offset: number,
    isOwnerFiltered: boolean,
    narrowing?: Narrowing,
  ): { sql: string; values: unknown[] } {
    const values = [...this.values];
    const { owner, only } = this.list;
    // No index fits the text of an id.
    const ofOwner = isOwnerFiltered && this.search ? `t.${owner}::text = $1::uuid::text` : `t.${owner} = $1`;
    const found = narrowing ? [narrowing((value) => values.push(value)), ...this.#unindexedSearch] : this.#search;
    const conditions = [ofOwner, ...(only ? [only] : []), ...this.#filters, ...found];
    const sql = `WITH found AS MATERIALIZED (
        SELECT t.id, t.${this.#column} AS value FROM ${this.table} t WHERE ${conditions.join(' AND ')}
      ), counted AS (SELECT count(*) AS "ofAll" FROM found)
      SELECT ${fields}, page.value AS "sortValue", counted."ofAll" FROM counted
      LEFT JOIN (SELECT id, value FROM found ORDER BY value ${order}, id ${order}
                 LIMIT $${values.push(limit)} OFFSET $${values.push(offset)}) AS page ON true
      LEFT JOIN LATERAL (SELECT * FROM ${this.table} WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value ${order}, page.id ${order}`;
    return { sql, values };
  }

  /**
   * Counts the matching rows after an id as `total`, and selects the first `ids` of them. It finds all matches first, because the
   * planner would choose an index by its estimate of them.
   */
  matches(after: string | null, limit: number): { sql: string; values: unknown[] } {
    const values = [...this.values];
    const later = after === null ? '' : ` AND t.id > $${values.push(after)}`;
    const sql = `WITH found AS MATERIALIZED (SELECT t.id FROM ${this.table} t ${this.#matching}${later})
      SELECT (SELECT count(*) FROM found)::int AS total,
        ARRAY(SELECT id FROM found ORDER BY id LIMIT $${values.push(limit)}) AS ids`;
    return { sql, values };
  }

  /** Locks rows in the order of their ids, and selects those that still match then. */
  lock(ids: string[]): { sql: string; values: unknown[] } {
    const values = [...this.values];
    const sql = `SELECT t.id FROM ${this.table} t ${this.#matching} AND t.id = ANY ($${values.push(ids)})
      ORDER BY t.id FOR UPDATE OF t`;
    return { sql, values };
  }

  /** The condition of the list as one row fulfils it: a row that was locked is checked again, and other rows are not. */
  get #matching(): string {
    const { owner, only } = this.list;
    return `WHERE ${[`t.${owner} = $1`, ...(only ? [only] : []), ...this.#filters, ...this.#search].join(' AND ')}`;
  }

  #startOf({ direction, from }: Route, values: unknown[]): string {
    if (!from) return '';
    const comparison = direction === 'asc' ? '>=' : '<';
    return ` AND (t.${this.#column}, t.id) ${comparison} ($${values.push(from.value)}, $${values.push(from.id)})`;
  }

  /** Selects every row whose rank is a multiple of `step`, with the list's total and version, from an index alone. */
  survey(step: number): { sql: string; values: unknown[] } {
    const { table, where, count } = this;
    const column = `t.${this.#column}`;
    const sql = `WITH RECURSIVE anchors AS (
        (SELECT 0 AS rank, ${column} AS value, t.id FROM ${table} t ${where} ${this.order('asc')} LIMIT 1)
        UNION ALL
        SELECT anchors.rank + ${step}, next.value, next.id FROM anchors CROSS JOIN LATERAL (
          SELECT ${column} AS value, t.id FROM ${table} t ${where} AND (${column}, t.id) > (anchors.value, anchors.id)
          ${this.order('asc')} LIMIT 1 OFFSET ${step - 1}
        ) AS next
      )
      SELECT rank, value, id, (${this.list.version}) AS version, (${count}) AS total FROM anchors ORDER BY rank`;
    return { sql, values: this.values };
  }
}

/**
 * Page sizes that are part of the statement's text. PostgreSQL plans a statement with a parameter as its limit at every call,
 * and these once per connection. Other sizes would only fill the table of named statements.
 */
export const commonLimits: ReadonlySet<number> = new Set([10, 20, 25, 50, 100]);
