import { EndlessList, StrangeAnswer } from './import-api.errors';
import type { Ask, ImportApi } from './import-api';
import { type PartCursor, partList } from './part-list';

/** The most that Rebrandly allows. */
const pageSize = 25;

const newestFirst = { orderBy: 'createdAt', orderDir: 'desc', limit: String(pageSize) };

/**
 * Rebrandly's API: `GET /v1/links` for each workspace of `GET /v1/workspaces`. The id of the last link or workspace of a page leads to
 * the next one. Without the header `workspace`, the list has the links of the main one.
 */
export const rebrandlyApi: ImportApi<PartCursor> = {
  source: 'rebrandly',
  name: 'Rebrandly',
  baseUrl: 'https://api.rebrandly.com/v1',
  choices: ['domain', 'workspace'],
  headers: (token) => ({ apikey: token }),
  readPage: partList(
    async (ask, { workspace }) => (workspace === undefined ? workspacesOf(ask) : [workspace]),
    async (ask, workspace, after, { domain }) => {
      const query = {
        ...newestFirst,
        ...(domain !== undefined && { 'domain.fullName': domain }),
        ...(after !== null && { last: after }),
      };
      const answer = await ask({ path: '/links', query, headers: { workspace } });
      const last = answer.items()[pageSize - 1];
      const next = last?.at('id').text() ?? null;
      if (last && next === null) throw new EndlessList(rebrandlyApi.name);
      return { records: answer.records(), next };
    },
  ),
};

/** Reads until a page has no further workspace, because the size of the pages is not documented. */
async function workspacesOf(ask: Ask): Promise<string[]> {
  const ids = new Set<string>();
  for (let before = -1; ids.size > before;) {
    before = ids.size;
    const last = [...ids].at(-1);
    const query = { ...newestFirst, ...(last !== undefined && { last }) };
    for (const { id } of (await ask({ path: '/workspaces', query })).records()) {
      // Ids become headers.
      if (typeof id !== 'string' || !/^[\x21-\x7e]+$/.test(id))
        throw new StrangeAnswer(rebrandlyApi.name, 'with a workspace without an id');
      ids.add(id);
    }
  }
  return [...ids];
}
