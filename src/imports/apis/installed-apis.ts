import type { ImportApi } from './import-api';
import { IncompleteList } from './import-api.errors';
import { digestOfRecord } from './list-progress';

/** The most that Kutt allows. */
const kuttPageSize = 50;

/** Kutt's API 2: `GET /api/v2/links`, the newest first. The cursor is the number of links before the page. */
export const kuttApi: ImportApi<number> = {
  source: 'kutt',
  name: 'Kutt',
  baseUrl: null,
  choices: [],
  headers: (token) => ({ 'X-API-KEY': token }),
  async readPage(ask, cursor) {
    const skip = cursor ?? 0;
    const query = { limit: String(kuttPageSize), skip: String(skip) };
    const answer = await ask({ path: '/api/v2/links', query });
    const records = answer.at('data').records();
    const total = answer.at('total').count();
    const next = skip + records.length;
    return { records, total, next: records.length === 0 || next >= total ? null : next };
  },
};

const yourlsPageSize = 500;

interface YourlsCursor {
  readonly start: number;
  /** Digests of the addresses on the page before. */
  readonly before: readonly string[];
}

/**
 * The action `stats` of YOURLS. The signature is in the body, because logs of web servers have the query. Its order is that of
 * times alone, so that pages can repeat a link and leave out another one of the same second. Such links are neighbours, as are those
 * that a new link moves to the next page. So a page is compared with the one before it.
 */
export const yourlsApi: ImportApi<YourlsCursor> = {
  source: 'yourls',
  name: 'YOURLS',
  baseUrl: null,
  choices: [],
  headers: () => ({}),
  async readPage(ask, cursor, _, token) {
    const { start, before } = cursor ?? { start: 0, before: [] };
    const query = {
      action: 'stats',
      filter: 'last',
      format: 'json',
      limit: String(yourlsPageSize),
      start: String(start),
    };
    const answer = await ask({ path: '/yourls-api.php', form: { signature: token, ...query } });
    const total = answer.at('stats').at('total_links').count();
    const links = answer.at('links');
    const records = links.isAbsent ? [] : links.values().records();
    // An address has any length, and a cursor must be small.
    const digests = records.map(({ shorturl }) => digestOfRecord(shorturl).slice(0, 16));
    if (new Set([...before, ...digests]).size < before.length + digests.length)
      throw new IncompleteList(yourlsApi.name, 'lists a link more than once');
    const next = start + records.length;
    const isLast = records.length === 0 || next >= total;
    return { records, total, next: isLast ? null : { start: next, before: digests.slice(-yourlsPageSize) } };
  },
};
