import { IncompleteList } from './import-api.errors';
import type { ImportApi } from './import-api';
import { digestOfRecord } from './list-progress';

const pageSize = 500;

interface YourlsCursor {
  /** Links before the page. */
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
    const query = { action: 'stats', filter: 'last', format: 'json', limit: String(pageSize), start: String(start) };
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
    return { records, total, next: isLast ? null : { start: next, before: digests.slice(-pageSize) } };
  },
};
