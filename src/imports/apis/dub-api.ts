import type { SourceRecord } from '../sources/import-source';
import { countUntil, creationTimeOf } from './creation-times';
import type { ApiChoice, ApiStep, Ask, ImportApi } from './import-api';
import { IncompleteList, EndlessList, ImportApiFailure } from './import-api.errors';

const pageSize = 100;

const maxCounts = 10;

type Query = Readonly<Record<string, string>>;

/** Lists by the id of their folder, or the empty text for the list without a folder. */
type Lists = readonly string[];

/** The position before the lists are read. Each one is counted in a separate step, because there may be hundreds. */
interface Counting {
  readonly uncounted: Lists;
  /** Those of the counted ones that have links. */
  readonly lists: Lists;
  readonly total: number;
}

interface Extent {
  readonly total: number;
  /** Time of creation of the newest link; null if it is not known. */
  readonly newest: number | null;
}

/** The position in the first one of the remaining lists. */
interface Reading {
  readonly lists: Lists;
  /** Null at the beginning of a list. */
  readonly extent: Extent | null;
  readonly page: number;
  /** Links on the pages before, without those that are newer than the list was. */
  readonly read: number;
}

/**
 * Dub's API: `GET /links`, the oldest first, so that new links come at the end. Without a folder and a domain, it lists the links
 * that are in no folder. Without a folder and with a domain, it lists those in most folders too.
 */
export const dubApi: ImportApi<Counting | Reading> = {
  source: 'dub',
  name: 'Dub',
  baseUrl: 'https://api.dub.co',
  choices: ['domain'],
  headers: (token) => ({ Authorization: `Bearer ${token}` }),
  async readPage(ask, cursor, choice) {
    if (!cursor) return { next: { uncounted: ['', ...(await foldersOf(ask))], lists: [], total: 0 } };
    return 'uncounted' in cursor ? countList(ask, cursor, choice) : readList(ask, cursor, choice);
  },
};

const queryOf = (list: string, { domain }: ApiChoice): Query => ({
  showArchived: 'true',
  ...(domain !== undefined && { domain }),
  ...(list !== '' && { folderId: list }),
});

/** Counts one list. With a domain, the list without a folder has links of the others too, so that its count is the total. */
async function countList(ask: Ask, cursor: Counting, choice: ApiChoice): Promise<ApiStep<Counting | Reading>> {
  const { uncounted, lists, total } = cursor;
  const [list = '', ...others] = uncounted;
  const links = await countOf(ask, queryOf(list, choice));
  const sum = list === '' || choice.domain === undefined ? total + links : total;
  const withLinks = links > 0 ? [...lists, list] : lists;
  if (others.length > 0) return { next: { uncounted: others, lists: withLinks, total: sum } };
  // A link that moves to a folder that was read already is missing in the sum at the end.
  return { total: sum, next: startOf(withLinks) };
}

const startOf = (lists: Lists): Reading | null => (lists.length > 0 ? { lists, extent: null, page: 1, read: 0 } : null);

/**
 * Reads a page of the first list.
 * @throws IncompleteList if the list has lost links meanwhile
 */
async function readList(ask: Ask, cursor: Reading, choice: ApiChoice): Promise<ApiStep<Reading>> {
  const { lists, extent, page } = cursor;
  const [list = '', ...others] = lists;
  const of = queryOf(list, choice);
  if (!extent) return { next: { ...cursor, extent: await extentOf(ask, of) } };
  const query = { ...of, sortOrder: 'asc', page: String(page), pageSize: String(pageSize) };
  const records = await linksOf(ask, query);
  const counted = countUntil(extent.newest, records, 'createdAt');
  const read = cursor.read + counted;
  const listed = new Set(records.map(({ folderId }) => folderId));
  const unlisted = others.filter((id) => !listed.has(id));
  if (records.length === pageSize)
    return { records, counted, next: { lists: [list, ...unlisted], extent, page: page + 1, read } };
  const { total } = extent;
  if ((await countOf(ask, of)) < total) throw new IncompleteList(dubApi.name, 'has lost links while its list was read');
  if (read < total) throw new IncompleteList(dubApi.name, `has sent ${read} of ${total} links`);
  return { records, counted, next: startOf(unlisted) };
}

const linksOf = async (ask: Ask, query: Query): Promise<SourceRecord[]> =>
  (await ask({ path: '/links', query: { sortBy: 'createdAt', ...query } })).records();

const countOf = async (ask: Ask, query: Query): Promise<number> => (await ask({ path: '/links/count', query })).count();

/** Returns how many links there are, which no list says, and when the newest of them was created. */
async function extentOf(ask: Ask, of: Query): Promise<Extent> {
  let before = await countOf(ask, of);
  for (let counts = 1; counts < maxCounts; counts++) {
    const [newest] = await linksOf(ask, { ...of, sortOrder: 'desc', page: '1', pageSize: '1' });
    const total = await countOf(ask, of);
    if (total === before) return { total, newest: creationTimeOf(newest, 'createdAt') };
    before = total;
  }
  throw new IncompleteList(dubApi.name, 'has changed each time its links were counted');
}

/** The most folders of a page that Dub allows. */
const folderPageSize = 50;

/**
 * Returns the ids of the folders that the key may read. Dub refuses the list with 403 on a plan without folders, and equally to a
 * key without the right. So links in folders decide.
 * @throws ImportApiFailure if the list is refused although folders have links
 */
async function foldersOf(ask: Ask): Promise<string[]> {
  try {
    return await allFolders(ask);
  } catch (error) {
    if (!(error instanceof ImportApiFailure && error.fault === 'token_refused')) throw error;
    if (!(await haveLinks(ask))) return [];
    const remedy = 'allow the key to read folders, or import a file';
    const message = `Dub does not list its folders to this key, although links are in folders; ${remedy}`;
    throw new ImportApiFailure('token_refused', message);
  }
}

async function allFolders(ask: Ask): Promise<string[]> {
  const ids = new Set<string>();
  for (let page = 1, size = folderPageSize; size === folderPageSize; page++) {
    const query = { page: String(page), pageSize: String(folderPageSize) };
    const folders = (await ask({ path: '/folders', query })).items();
    size = folders.length;
    const before = ids.size;
    for (const folder of folders) ids.add(folder.at('id').text() ?? '');
    if (size > 0 && ids.size === before) throw new EndlessList('Dub');
  }
  return [...ids];
}

/** Returns whether folders have links. Counts by domain contain them, other than the count of all links. */
async function haveLinks(ask: Ask): Promise<boolean> {
  const query = { showArchived: 'true' };
  const byDomain = await ask({ path: '/links/count', query: { ...query, groupBy: 'domain' } });
  const counts = byDomain.items().map((domain) => domain.at('_count').count());
  const outside = (await ask({ path: '/links/count', query })).count();
  return counts.reduce((sum, count) => sum + count, 0) > outside;
}
