import type { SourceRecord } from '../import-sources/import-source';
import { ApiAnswer } from './api-answer';
import { countUntil, createdAt } from './creation-times';
import { foldersOf } from './dub-folders';
import type { ApiPage, Ask, ImportApi } from './import-api';
import { IncompleteList } from './import-api.errors';

/** The most that Dub allows. */
const pageSize = 100;

/** How often the links are counted before the list is read. */
const maxCounts = 10;

type Query = Readonly<Record<string, string>>;

/**
 * Dub's API: `GET /links`, the oldest first, so that new links come at the end. Without a folder and a domain, it lists the links
 * that are in no folder. Without a folder and with a domain, it lists those in most folders too.
 */
export const dubApi: ImportApi = {
  source: 'dub',
  name: 'Dub',
  baseUrl: 'https://api.dub.co',
  choices: ['domain'],
  headers: (token) => ({ Authorization: `Bearer ${token}` }),
  async *pages(ask, { domain }) {
    const of = { showArchived: 'true', ...(domain !== undefined && { domain }) };
    const folders = await foldersOf(ask, dubApi);
    const total = await countOf(ask, of);
    const counted = new Map<string, number>();
    for (const folderId of folders) counted.set(folderId, await countOf(ask, { ...of, folderId }));
    const inFolders = [...counted.values()].reduce((sum, count) => sum + count, 0);
    // A link that moves to a folder that was read already is missing in the sum at the end.
    yield { records: [], total: domain === undefined ? total + inFolders : total };
    const listed = new Set<unknown>();
    for await (const page of listOf(ask, of)) {
      for (const { folderId } of page.records) listed.add(folderId);
      yield page;
    }
    for (const [folderId, count] of counted)
      if (count > 0 && !listed.has(folderId)) yield* listOf(ask, { ...of, folderId });
  },
};

/** Reads the links of one list. @throws IncompleteList if it has lost links meanwhile */
async function* listOf(ask: Ask, of: Query): AsyncGenerator<ApiPage> {
  const { total, newest } = await extentOf(ask, of);
  let read = 0;
  for (let page = 1, size = pageSize; size === pageSize; page++) {
    const query = { ...of, sortOrder: 'asc', page: String(page), pageSize: String(pageSize) };
    const records = await linksOf(ask, query);
    size = records.length;
    const counted = countUntil(newest, records, 'createdAt');
    read += counted;
    yield { records, total: null, counted };
  }
  if ((await countOf(ask, of)) < total) throw new IncompleteList(dubApi.name, 'has lost links while its list was read');
  if (read < total) throw new IncompleteList(dubApi.name, `has sent ${read} of ${total} links`);
}

const linksOf = async (ask: Ask, query: Query): Promise<SourceRecord[]> =>
  new ApiAnswer(dubApi, await ask({ path: '/links', query: { sortBy: 'createdAt', ...query } })).records();

const countOf = async (ask: Ask, query: Query): Promise<number> =>
  new ApiAnswer(dubApi, await ask({ path: '/links/count', query })).count('count');

/** Returns how many links there are, which no list says, and when the newest of them was created. */
async function extentOf(ask: Ask, of: Query): Promise<{ total: number; newest: number }> {
  let before = await countOf(ask, of);
  for (let counts = 1; counts < maxCounts; counts++) {
    const [newest] = await linksOf(ask, { ...of, sortOrder: 'desc', page: '1', pageSize: '1' });
    const total = await countOf(ask, of);
    if (total === before) return { total, newest: createdAt(newest, 'createdAt') };
    before = total;
  }
  throw new IncompleteList(dubApi.name, 'has changed each time its links were counted');
}
