import { ApiAnswer } from './api-answer';
import type { Ask } from './import-api';
import { EndlessList, ImportApiFailure } from './import-api.errors';

/** The most that Dub allows. */
const pageSize = 50;

interface Named {
  readonly name: string;
}

/**
 * Returns the ids of the folders that the key may read. Dub refuses the list with 403 on a plan without folders, and equally to a
 * key without the right. So links in folders decide.
 * @throws ImportApiFailure if the list is refused although folders have links
 */
export async function foldersOf(ask: Ask, api: Named): Promise<string[]> {
  try {
    return await allFolders(ask, api);
  } catch (error) {
    if (!(error instanceof ImportApiFailure && error.fault === 'token_refused')) throw error;
    if (await haveLinks(ask, api)) throw new FoldersRefused(api.name);
    return [];
  }
}

class FoldersRefused extends ImportApiFailure {
  constructor(name: string) {
    const remedy = 'allow the key to read folders, or import a file';
    super('token_refused', `${name} does not list its folders to this key, although links are in folders; ${remedy}`);
  }
}

async function allFolders(ask: Ask, api: Named): Promise<string[]> {
  const ids = new Set<string>();
  for (let page = 1, size = pageSize; size === pageSize; page++) {
    const query = { page: String(page), pageSize: String(pageSize) };
    const folders = new ApiAnswer(api, await ask({ path: '/folders', query })).records();
    size = folders.length;
    const before = ids.size;
    for (const { id } of folders) ids.add(new ApiAnswer(api, id).text('folder') ?? '');
    if (size > 0 && ids.size === before) throw new EndlessList(api.name);
  }
  return [...ids];
}

/** Returns whether folders have links. Counts by domain contain them, other than the count of all links. */
async function haveLinks(ask: Ask, api: Named): Promise<boolean> {
  const query = { showArchived: 'true' };
  const byDomain = new ApiAnswer(api, await ask({ path: '/links/count', query: { ...query, groupBy: 'domain' } }));
  const counts = byDomain.records().map(({ _count: count }) => new ApiAnswer(api, count).count('count'));
  const outside = new ApiAnswer(api, await ask({ path: '/links/count', query })).count('count');
  return counts.reduce((sum, count) => sum + count, 0) > outside;
}
