import type { SourceRecord } from '../import-sources/import-source';
import { ApiAnswer } from './api-answer';
import { countUntil, createdAt } from './creation-times';
import type { Ask, ImportApi } from './import-api';
import { IncompleteList } from './import-api.errors';

/** The most that Dub allows. */
const pageSize = 100;

/** How often the links are counted before the list is read. */
const maxCounts = 10;

type Query = Readonly<Record<string, string>>;

/** Dub's API: `GET /links`, the oldest first, so that new links come at the end. */
export const dubApi: ImportApi = {
  source: 'dub',
  name: 'Dub',
  baseUrl: 'https://api.dub.co',
  choices: ['domain'],
  headers: (token) => ({ Authorization: `Bearer ${token}` }),
  async *pages(ask, { domain }) {
    const of = { showArchived: 'true', ...(domain !== undefined && { domain }) };
    const { total, newest } = await extentOf(ask, of);
    yield { records: [], total };
    for (let page = 1, size = pageSize; size === pageSize; page++) {
      const query = { ...of, sortOrder: 'asc', page: String(page), pageSize: String(pageSize) };
      const records = await linksOf(ask, query);
      size = records.length;
      yield { records, total: null, counted: countUntil(newest, records, 'createdAt') };
    }
    yield { records: [], total: await countOf(ask, of) };
  },
};

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
