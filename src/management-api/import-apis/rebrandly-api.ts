import { ApiAnswer } from './api-answer';
import { EndlessList, StrangeAnswer } from './import-api.errors';
import type { ApiPage, Ask, ImportApi } from './import-api';

/** The most that Rebrandly allows. */
const pageSize = 25;

const newestFirst = { orderBy: 'createdAt', orderDir: 'desc', limit: String(pageSize) };

/**
 * Rebrandly's API: `GET /v1/links` for each workspace of `GET /v1/workspaces`. The id of the last link or workspace of a page leads to
 * the next one. Without the header `workspace`, the list has the links of the main one.
 */
export const rebrandlyApi: ImportApi = {
  source: 'rebrandly',
  name: 'Rebrandly',
  baseUrl: 'https://api.rebrandly.com/v1',
  choices: ['domain', 'workspace'],
  headers: (token) => ({ apikey: token }),
  async *pages(ask, { domain, workspace }) {
    const workspaces = workspace === undefined ? await workspacesOf(ask) : [workspace];
    for (const one of workspaces) yield* linksOf(ask, one, domain);
  },
};

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

async function* linksOf(ask: Ask, workspace: string, domain: string | undefined): AsyncGenerator<ApiPage> {
  const query = { ...newestFirst, ...(domain !== undefined && { 'domain.fullName': domain }) };
  for (let last: string | null = null; ;) {
    const ofPage: Record<string, string> = last === null ? query : { ...query, last };
    const answer = await ask({ path: '/links', query: ofPage, headers: { workspace } });
    const records = new ApiAnswer(rebrandlyApi, answer).records();
    yield { records, total: null };
    if (records.length < pageSize) return;
    const next = new ApiAnswer(rebrandlyApi, records.at(-1)!.id).text('id');
    if (next === null || next === last) throw new EndlessList(rebrandlyApi.name);
    last = next;
  }
}
