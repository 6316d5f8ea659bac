import type { Ask, ImportApi } from './import-api';
import { type PartCursor, partList } from './part-list';

/** Links of a page. The limit is 1,500 requests per hour and 150 per minute of a group. */
const pageSize = '100';

/** Bitly's API 4: `GET /v4/groups/{guid}/bitlinks`. */
export const bitlyApi: ImportApi<PartCursor> = {
  source: 'bitly',
  name: 'Bitly',
  baseUrl: 'https://api-ssl.bitly.com/v4',
  choices: ['group'],
  headers: (token) => ({ Authorization: `Bearer ${token}` }),
  readPage: partList(
    async (ask, { group }) => (group === undefined ? groupsOf(ask) : [group]),
    async (ask, group, after) => {
      // Archived links are left out unless the query wants both.
      const query = { size: pageSize, archived: 'both', ...(after !== null && { search_after: after }) };
      const answer = await ask({ path: `/groups/${encodeURIComponent(group)}/bitlinks`, query });
      return { records: answer.at('links').records(), next: answer.at('pagination').at('search_after').text() };
    },
  ),
};

const groupsOf = async (ask: Ask): Promise<string[]> =>
  (await ask({ path: '/groups' }))
    .at('groups')
    .items()
    .map((group) => group.at('guid').text() ?? '');
