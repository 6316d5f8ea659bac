import type { Ask } from './import-api';
import { EndlessList, ImportApiFailure } from './import-api.errors';

/** The most that Dub allows. */
const pageSize = 50;

/**
 * Returns the ids of the folders that the key may read. Dub refuses the list with 403 on a plan without folders, and equally to a
 * key without the right. So links in folders decide.
 * @throws ImportApiFailure if the list is refused although folders have links
 */
export async function foldersOf(ask: Ask): Promise<string[]> {
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
  for (let page = 1, size = pageSize; size === pageSize; page++) {
    const query = { page: String(page), pageSize: String(pageSize) };
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
