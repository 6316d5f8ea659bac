import { ApiAnswer } from './api-answer';
import { EndlessList, StrangeAnswer } from './import-api.errors';
import type { Ask, ImportApi } from './import-api';
import { type PartCursor, positionAfter, startOf } from './part-cursor';

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
  async readPage(ask, cursor, { domain, workspace }) {
    if (!cursor) {
      const workspaces = workspace === undefined ? await workspacesOf(ask) : [workspace];
      return { records: [], total: null, next: startOf(workspaces) };
    }
    const { parts, after } = cursor;
    const query = {
      ...newestFirst,
      ...(domain !== undefined && { 'domain.fullName': domain }),
      ...(after !== null && { last: after }),
    };
    const answer = await ask({ path: '/links', query, headers: { workspace: parts[0] } });
    const records = new ApiAnswer(rebrandlyApi, answer).records();
    return { records, total: null, next: positionAfter(rebrandlyApi, cursor, lastOf(records)) };
  },
};

/** Returns the id of the last link; null if no page follows. */
function lastOf(records: readonly { readonly id?: unknown }[]): string | null {
  if (records.length < pageSize) return null;
  const last = new ApiAnswer(rebrandlyApi, records.at(-1)!.id).text('id');
  if (last === null) throw new EndlessList(rebrandlyApi.name);
  return last;
}

/** Reads until a page has no further workspace, because the size of the pages is not documented. */
async function workspacesOf(ask: Ask): Promise<string[]> {
  const ids = new Set<string>();
  for (let before = -1; ids.size > before;) {
    before = ids.size;
    const last = [...ids].at(-1);
    const found = await ask({ path: '/workspaces', query: { ...newestFirst, ...(last !== undefined && { last }) } });
    for (const { id } of new ApiAnswer(rebrandlyApi, found).records()) {
      // Ids become headers.
      if (typeof id !== 'string' || !/^[\x21-\x7e]+$/.test(id))
        throw new StrangeAnswer(rebrandlyApi.name, 'with a workspace without an id');
      ids.add(id);
    }
  }
  return [...ids];
}
