import type { SourceRecord } from '../sources/import-source';
import type { ApiChoice, Ask, ImportApi } from './import-api';
import { EndlessList, ImportApiFailure, StrangeAnswer } from './import-api.errors';

/** The position in a list with several parts, such as the groups of an account. */
interface PartCursor<Part = string> {
  /** The part that is read, and those after it. */
  readonly parts: readonly Part[];
  /** The page before, in the words of the API; null at the beginning of a part. */
  readonly after: string | null;
}

interface Page {
  records: readonly SourceRecord[];
  /** Leads to the page after it; null if it is the last one of its part. */
  next: string | null;
}

/** Reads a list part by part. The caller may have chosen one part. */
const partList =
  <Part>(
    partsOf: (ask: Ask, choice: ApiChoice) => Promise<readonly Part[]>,
    pageOf: (ask: Ask, part: Part, after: string | null, choice: ApiChoice) => Promise<Page>,
  ): ImportApi<PartCursor<Part>>['readPage'] =>
  async (ask, cursor, choice) => {
    const startOf = (parts: readonly Part[]) => (parts.length > 0 ? { parts, after: null } : null);
    if (!cursor) return { next: startOf(await partsOf(ask, choice)) };
    const { parts, after } = cursor;
    const { records, next } = await pageOf(ask, parts[0]!, after, choice);
    return { records, next: next === null ? startOf(parts.slice(1)) : { parts, after: next } };
  };

/** Links of a page. The limit is 1,500 requests per hour and 150 per minute of a group. */
const bitlyPageSize = '100';

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
      const query = { size: bitlyPageSize, archived: 'both', ...(after !== null && { search_after: after }) };
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

/** The most that Short.io allows. */
const shortIoPageSize = '150';

interface Domain {
  readonly id: string;
  readonly hostname: string;
}

/** Short.io's API: `GET /api/links` for each domain of `GET /api/domains`. */
export const shortIoApi: ImportApi<PartCursor<Domain>> = {
  source: 'short-io',
  name: 'Short.io',
  baseUrl: 'https://api.short.io',
  choices: ['domain'],
  headers: (token) => ({ Authorization: token }),
  readPage: partList(
    (ask, { domain }) => domainsOf(ask, domain),
    async (ask, { id, hostname }, after) => {
      const page = { limit: shortIoPageSize, dateSortOrder: 'asc', ...(after !== null && { pageToken: after }) };
      const answer = await ask({ path: '/api/links', query: { domain_id: id, ...page } });
      // A link has the number of its domain alone.
      const records = answer.at('links').records();
      const next = answer.at('nextPageToken').text();
      return { records: records.map((record) => ({ domain: hostname, ...record })), next };
    },
  ),
};

async function domainsOf(ask: Ask, domain: string | undefined): Promise<Domain[]> {
  const all = (await ask({ path: '/api/domains' })).items().map((domain) => ({
    id: domain.at('id').text() ?? '',
    hostname: domain.at('hostname').text() ?? '',
  }));
  const chosen = all.filter(({ hostname }) => domain === undefined || hostname === domain);
  if (chosen.length > 0) return chosen;
  const message = 'Short.io lists no such domain for this token; check the domain and the token';
  throw new ImportApiFailure('empty_list', message);
}

/** The most that Rebrandly allows. */
const rebrandlyPageSize = 25;

const newestFirst = { orderBy: 'createdAt', orderDir: 'desc', limit: String(rebrandlyPageSize) };

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
      const last = answer.items()[rebrandlyPageSize - 1];
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
