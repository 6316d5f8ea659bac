import { ApiAnswer } from './api-answer';
import type { Ask, ImportApi } from './import-api';
import { type PartCursor, positionAfter, startOf } from './part-cursor';

/** Links of a page. The limit is 1,500 requests per hour and 150 per minute of a group. */
const pageSize = '100';

/** Bitly's API 4: `GET /v4/groups/{guid}/bitlinks`. */
export const bitlyApi: ImportApi<PartCursor> = {
  source: 'bitly',
  name: 'Bitly',
  baseUrl: 'https://api-ssl.bitly.com/v4',
  choices: ['group'],
  headers: (token) => ({ Authorization: `Bearer ${token}` }),
  async readPage(ask, cursor, { group }) {
    if (!cursor)
      return { records: [], total: null, next: startOf(group === undefined ? await groupsOf(ask) : [group]) };
    const { parts, after } = cursor;
    const path = `/groups/${encodeURIComponent(parts[0])}/bitlinks`;
    // Archived links are left out unless the query wants both.
    const query = { size: pageSize, archived: 'both', ...(after !== null && { search_after: after }) };
    const answer = new ApiAnswer(bitlyApi, await ask({ path, query }));
    const records = answer.at('links').records();
    const next = answer.at('pagination').at('search_after').text('search_after');
    return { records, total: null, next: positionAfter(bitlyApi, cursor, next) };
  },
};

async function groupsOf(ask: Ask): Promise<string[]> {
  const groups = new ApiAnswer(bitlyApi, await ask({ path: '/groups' })).at('groups').records();
  return groups.map((group) => new ApiAnswer(bitlyApi, group.guid).text('guid') ?? '');
}
