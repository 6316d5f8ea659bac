import type { ObjectLiteral } from 'typeorm';
import { offsetOf, type Page, type PageRequest } from '../../shared/page';
import { CountedPages } from './counted-pages';
import type { LargeOwner } from './kept-totals';
import { type Anchor, KnownList, KnownLists } from './known-list';
import { commonLimits, type ListDefinition, ListSql } from './list-sql';
import type { Rows } from './rows';
import { reportTooExpensive } from './too-expensive';
import type { TransactionContext } from './transaction-context';

/** Skipping fewer rows takes less time than anything that would avoid it. */
const maxSkipped = 2000;
const minStep = 500;
const maxSurveyed = 2_000_000;
/** A survey is repeated after this many times its duration, so that a list that keeps changing is not surveyed all the time. */
const surveyPause = 20;
/** Measured: ten million rows are counted in one to nine minutes. */
const countingSeconds = 60;

interface PageRow {
  id: string;
  sortValue: unknown;
  atVersion?: string;
  ofAll?: string;
}

/**
 * Reads pages of a list. A deep page costs about as much as the first one: it is read from the nearest anchor whose rank is known.
 * Ranks hold for one version of the list, and each statement returns the version that it saw. So the pages of every answer
 * partition the list as it was at that moment (docs/decisions/0031-fair-use-of-the-pool.md).
 */
export class PagedRows<T extends ObjectLiteral, SortKey extends string> {
  readonly #known = new KnownLists();
  readonly #surveys = new Map<string, Promise<KnownList | null>>();
  readonly #counted: CountedPages<T, SortKey> | null;

  constructor(
    private readonly context: TransactionContext,
    private readonly rows: Rows<T>,
    private readonly list: ListDefinition<SortKey>,
  ) {
    this.#counted = list.keptTotals ? new CountedPages(context, rows, list.keptTotals) : null;
  }

  /** @throws QueryTooExpensive if PostgreSQL answers, but not this query within its time limit */
  page(ownerId: string, request: PageRequest<SortKey>, filters: Record<string, unknown> = {}): Promise<Page<T>> {
    const query = new ListSql(this.rows.table, this.list, ownerId, request, filters);
    const owner = query.hasConditions ? (this.list.keptTotals?.large(query.ownerId, filters) ?? null) : null;
    const retryAfterSeconds = owner && !owner.isCounted ? countingSeconds : null;
    return reportTooExpensive(this.context, () => this.#page(query, request, owner), retryAfterSeconds);
  }

  async #page(query: ListSql<SortKey>, request: PageRequest<SortKey>, owner: LargeOwner | null): Promise<Page<T>> {
    if (owner) {
      const page = await this.#counted!.page(query, request, owner);
      if (page) return page;
    }
    if (request.page === 1) return this.#firstPage(query, request);
    return this.list.version === undefined ? this.#countedPage(query, request) : this.#deepPage(query, request);
  }

  /** Reads the items and the total by one statement, because the first page is the most frequent one. */
  async #firstPage(query: ListSql<SortKey>, request: PageRequest<SortKey>): Promise<Page<T>> {
    const values = [...query.values];
    const version = query.hasKeptTotal ? undefined : this.list.version;
    const known = version === undefined ? undefined : this.#known.get(query.key);
    // PostgreSQL evaluates a subquery in CASE only if it needs the result.
    const total =
      version === undefined
        ? `(${query.count}) AS "ofAll"`
        : `CASE WHEN (${version}) = $${values.push(known?.version ?? null)}::numeric THEN $${values.push(known?.total ?? null)}::bigint
           ELSE (${query.count}) END AS "ofAll", (${version}) AS "atVersion"`;
    const limit = commonLimits.has(request.limit) ? request.limit : `$${values.push(request.limit)}`;
    const columns = [this.list.extra, total].filter(Boolean).join(', ');
    const items = await this.context.read<T & PageRow>(
      `SELECT ${this.rows.fields(columns)} FROM ${query.table} t ${query.where} ${query.order(request.sortOrder)} LIMIT ${limit}`,
      values,
    );
    const [first] = items;
    const counted = Number(first?.ofAll ?? 0);
    if (first?.atVersion !== undefined && first.atVersion !== known?.version)
      this.#known.set(query.key, new KnownList(first.atVersion, counted, known?.nextSurveyAt));
    return { items, total: counted };
  }

  /** Counts first, because the page may be past the end. */
  async #countedPage(query: ListSql<SortKey>, request: PageRequest<SortKey>): Promise<Page<T>> {
    const [row] = await this.context.read<{ count: string }>(query.count, query.values);
    const total = Number(row!.count);
    const offset = offsetOf(request, total);
    if (offset === null) return { items: [], total };
    const { sql, values } = query.page(
      this.rows.fields(this.list.extra),
      request.sortOrder,
      { direction: request.sortOrder, from: null, skipped: offset },
      request.limit,
    );
    return { items: await this.context.read<T>(sql, values), total };
  }

  async #deepPage(query: ListSql<SortKey>, request: PageRequest<SortKey>): Promise<Page<T>> {
    let known = this.#known.get(query.key);
    for (let attempt = 0; attempt < 2; attempt++) {
      const isCurrent = known === undefined;
      known ??= await this.#readState(query);
      const surveyed = await this.#survey(query, request, known);
      if (surveyed) known = surveyed;
      const offset = offsetOf(request, known.total);
      if (offset !== null) {
        const items = await this.#readFrom(known, query, request, offset);
        if (items) return { items, total: known.total };
      } else if (isCurrent || surveyed) return { items: [], total: known.total };
      known = undefined;
    }
    // The list changes faster than it is read. Counted from its beginning, the page is right at any version.
    return this.#countedPage(query, request);
  }

  async #readState(query: ListSql<SortKey>): Promise<KnownList> {
    const [row] = await this.context.read<{ version: string; total: string }>(
      `SELECT (${this.list.version}) AS version, (${query.count}) AS total`,
      query.values,
    );
    const { nextSurveyAt } = this.#known.get(query.key) ?? {};
    return this.#known.set(query.key, new KnownList(row!.version, Number(row!.total), nextSurveyAt));
  }

  /** Returns null if the list has another version by now. */
  async #readFrom(
    known: KnownList,
    query: ListSql<SortKey>,
    { sortOrder, limit }: PageRequest<SortKey>,
    offset: number,
  ): Promise<T[] | null> {
    const count = Math.min(limit, known.total - offset);
    const rank = sortOrder === 'asc' ? offset : known.total - offset - count;
    const fields = this.rows.fields(
      [this.list.extra, `(${this.list.version}) AS "atVersion"`].filter(Boolean).join(', '),
    );
    const { sql, values } = query.page(fields, sortOrder, known.routeTo(rank, count), count);
    const items = await this.context.read<T & PageRow>(sql, values);
    if (items[0]?.atVersion !== known.version) return null;
    const lowest = sortOrder === 'asc' ? items[0] : items.at(-1)!;
    known.learn({ rank, value: lowest.sortValue, id: lowest.id });
    return items;
  }

  /** Finds anchors all over a long list if the page is far from its ends. Returns null if it is not worth it. */
  async #survey(query: ListSql<SortKey>, request: PageRequest<SortKey>, known: KnownList): Promise<KnownList | null> {
    const offset = offsetOf(request, known.total);
    if (offset === null || !query.isIndexed || known.total > maxSurveyed) return null;
    const rank = request.sortOrder === 'asc' ? offset : known.total - offset;
    if (known.routeTo(rank, 0).skipped <= maxSkipped || performance.now() < known.nextSurveyAt) return null;
    const running = this.#surveys.get(query.key);
    if (running) return running;
    const startedAt = performance.now();
    const survey = this.#makeSurvey(query, known.total)
      // The page is read without it. A survey that failed waits like one that succeeded.
      .catch(() => {
        known.nextSurveyAt = nextSurvey(startedAt);
        return null;
      })
      .finally(() => this.#surveys.delete(query.key));
    this.#surveys.set(query.key, survey);
    return survey;
  }

  async #makeSurvey(query: ListSql<SortKey>, total: number): Promise<KnownList | null> {
    const startedAt = performance.now();
    const { sql, values } = query.survey(Math.max(minStep, Math.ceil(total / 1000)));
    const rows = await this.context.read<Anchor & { version: string; total: string }>(sql, values);
    if (rows.length === 0) return null;
    const anchors = rows.map(({ rank, value, id }) => ({ rank, value, id }));
    const { version, total: currentTotal } = rows[0]!;
    return this.#known.set(query.key, new KnownList(version, Number(currentTotal), nextSurvey(startedAt), anchors));
  }
}

function nextSurvey(startedAt: number): number {
  const now = performance.now();
  return now + surveyPause * (now - startedAt);
}
