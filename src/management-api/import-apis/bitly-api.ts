import { ApiAnswer } from './api-answer';
import { EndlessList } from './import-api.errors';
import type { ApiPage, Ask, ImportApi } from './import-api';

/** Links of a page. The limit is 1,500 requests per hour and 150 per minute of a group. */
const pageSize = '100';

/** Bitly's API 4: `GET /v4/groups/{guid}/bitlinks`. */
export const bitlyApi: ImportApi = {
  source: 'bitly',
  name: 'Bitly',
  baseUrl: 'https://api-ssl.bitly.com/v4',
  choices: ['group'],
  headers: (token) => ({ Authorization: `Bearer ${token}` }),
  async *pages(ask, { group }) {
    const groups = group === undefined ? await groupsOf(ask) : [group];
    for (const guid of groups) yield* linksOf(ask, guid);
  },
};

async function groupsOf(ask: Ask): Promise<string[]> {
  const groups = new ApiAnswer(bitlyApi, await ask({ path: '/groups' })).at('groups').records();
  return groups.map((group) => new ApiAnswer(bitlyApi, group.guid).text('guid') ?? '');
}

async function* linksOf(ask: Ask, guid: string): AsyncGenerator<ApiPage> {
  const path = `/groups/${encodeURIComponent(guid)}/bitlinks`;
  // Archived links are left out unless the query wants both.
  const query = { size: pageSize, archived: 'both' };
  let after: string | null = null;
  for (;;) {
    const found: unknown = await ask({ path, query: { ...query, ...(after !== null && { search_after: after }) } });
    const answer = new ApiAnswer(bitlyApi, found);
    yield { records: answer.at('links').records(), total: null };
    const next: string | null = answer.at('pagination').at('search_after').text('search_after');
    if (next === null) return;
    if (next === after) throw new EndlessList(bitlyApi.name);
    after = next;
  }
}
