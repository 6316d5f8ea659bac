import type { ObjectLiteral } from 'typeorm';
import { offsetOf, type Page, type PageRequest } from '../../shared/page';
import type { KeptTotals, KeptTotalsRow, LargeOwner, Narrowing } from './kept-totals';
import { KnownList, KnownLists, type Route } from './known-list';
import type { ListSql } from './list-sql';
import type { Rows } from './rows';
import type { TransactionContext } from './transaction-context';
import { hasTrigram } from './trigrams';

/** Numbers of rows. Tests lower them. */
export const pageLimits = {
  /** More matches are not gathered if the list can be walked. Measured: 4 µs each. */
  maxGathered: 100_000,
  /** A walk passes at least these. It gives up after four times the expected rows, because the matches may be far away. */
  minWalked: 5000,
  /** A longer walk takes more time than a search for a way around it. Measured: 1.5 µs per row. */
  maxWalked: 50_000,
};

const walkFactor = 4;

interface PageRow {
  id: string | null;
  sortValue: unknown;
  atVersion: string;
  ofAll?: string;
}

/**
 * Reads pages of searches and filters of a large owner. It knows the total first, and therefore whether the matches are dense.
 * Dense ones are found by a walk in the list's order. Rare ones are gathered by an index and sorted.
 */
export class CountedPages<T extends ObjectLiteral, SortKey extends string> {
  readonly #known = new KnownLists();

  constructor(
    private readonly context: TransactionContext,
    private readonly rows: Rows<T>,
    private readonly totals: KeptTotals,
  ) {}

  /** Returns null if nothing is kept for the owner. */
  async page(query: ListSql<SortKey>, request: PageRequest<SortKey>, owner: LargeOwner): Promise<Page<T> | null> {
    let cached = this.#known.get(query.key);
    for (let attempt = 0; ; attempt++) {
      const known: KnownList | 'unknown' | null = cached ?? (await this.#readState(query));
      if (known === null) return null;
      if (known === 'unknown') return this.#gather(query, request, owner);
      const offset = offsetOf(request, known.total);
      if (offset === null && !cached) return { items: [], total: known.total };
      if (offset !== null) {
        const page = await (attempt < 2
          ? this.#read(known, query, request, owner, offset)
          : this.#readFromStart(known, query, request, offset));
        if (page) return page;
      }
      cached = undefined;
    }
  }

  async #readState(query: ListSql<SortKey>): Promise<KnownList | 'unknown' | null> {
    const { sql, values } = this.totals.sql(query.ownerId, query.search, query.filters);
    const [row] = await this.context.read<KeptTotalsRow>(sql, values);
    if (!row) return null;
    if (row.total === null) return 'unknown';
    const passed = query.passesFilteredOnly && row.filtered !== null ? row.filtered : row.all;
    return this.#known.set(query.key, new KnownList(row.version, Number(row.total), 0, [], Number(passed)));
  }

  /** Returns null if the list has another version by now. */
  async #read(
    known: KnownList,
    query: ListSql<SortKey>,
    request: PageRequest<SortKey>,
    owner: LargeOwner,
    offset: number,
  ): Promise<Page<T> | null> {
    const { sortOrder, limit } = request;
    const count = Math.min(limit, known.total - offset);
    const rank = sortOrder === 'asc' ? offset : known.total - offset - count;
    const route = known.routeTo(rank, count);
    const expected = ((route.skipped + count) * known.passed) / known.total;
    const isFew = known.total <= pageLimits.maxGathered;
    const hasIndex = this.#hasIndex(query, owner);
    if (isFew && hasIndex && known.total < expected) return this.#gather(query, request, owner);
    const narrowing = isFew && !hasIndex && expected > pageLimits.maxWalked ? await this.#narrow(query, owner) : null;
    if (narrowing) return this.#gather(query, request, owner, narrowing);
    const maxPassed = Math.ceil(walkFactor * expected + pageLimits.minWalked);
    let items = await this.#walk(query, request, route, count, maxPassed);
    if (items.length < count && maxPassed < known.passed && !differs(items, known)) {
      if (isFew && hasIndex) return this.#gather(query, request, owner);
      items = await this.#walk(query, request, route, count, known.passed + pageLimits.minWalked);
    }
    if (items.length < count || differs(items, known)) return null;
    const lowest = (sortOrder === 'asc' ? items[0] : items.at(-1)) as unknown as PageRow;
    known.learn({ rank, value: lowest.sortValue, id: lowest.id! });
    return { items, total: known.total };
  }

  /** Reads a list that changes faster than it is read. Counted from its beginning, the page is right at any version. */
  async #readFromStart(
    known: KnownList,
    query: ListSql<SortKey>,
    request: PageRequest<SortKey>,
    offset: number,
  ): Promise<Page<T>> {
    const route = { direction: request.sortOrder, from: null, skipped: offset };
    const items = await this.#walk(query, request, route, request.limit, known.passed + pageLimits.minWalked);
    return { items, total: known.total };
  }

  #hasIndex({ search }: ListSql<SortKey>, { hasAllLetters }: LargeOwner): boolean {
    return search === undefined || hasTrigram(search, hasAllLetters);
  }

  #narrow({ ownerId, search }: ListSql<SortKey>, owner: LargeOwner): Promise<Narrowing | null> {
    return this.totals.narrow(ownerId, search!, owner);
  }

  #walk(
    query: ListSql<SortKey>,
    { sortOrder }: PageRequest<SortKey>,
    route: Route,
    count: number,
    maxPassed: number,
  ): Promise<T[]> {
    const { sql, values } = query.walk(this.#fields(query), sortOrder, route, count, maxPassed);
    return this.context.read<T>(sql, values);
  }

  async #gather(
    query: ListSql<SortKey>,
    request: PageRequest<SortKey>,
    owner: LargeOwner,
    given?: Narrowing,
  ): Promise<Page<T>> {
    const offset = (request.page - 1) * request.limit;
    const narrowing = given ?? (query.search === undefined ? null : await this.#narrow(query, owner));
    const hasIndex = narrowing !== null || this.#hasIndex(query, owner);
    const { sql, values } = query.gather(
      this.#fields(query),
      request.sortOrder,
      request.limit,
      offset,
      owner.hasMostRows && hasIndex,
      narrowing ?? undefined,
    );
    const rows = await this.context.run(async () => {
      // The planner estimates a thousand matches and more for a rare text, and then prefers to read the whole table.
      if (hasIndex) await this.context.read('SET LOCAL enable_seqscan = off');
      return this.context.read<T & PageRow>(sql, values);
    });
    return { items: rows.filter(({ id }) => id !== null), total: Number(rows[0]!.ofAll) };
  }

  #fields({ list }: ListSql<SortKey>): string {
    return this.rows.fields([list.extra, `(${list.version}) AS "atVersion"`].filter(Boolean).join(', '));
  }
}

const differs = (items: unknown[], known: KnownList): boolean =>
  items.length > 0 && (items[0] as PageRow).atVersion !== known.version;
