import { ApiAnswer } from './api-answer';
import type { ImportApi } from './import-api';

/** The most that Dub allows. */
const pageSize = 100;

/** Dub's API: `GET /links`, the oldest first, so that new links come at the end. */
export const dubApi: ImportApi = {
  source: 'dub',
  name: 'Dub',
  baseUrl: 'https://api.dub.co',
  choices: ['domain'],
  headers: (token) => ({ Authorization: `Bearer ${token}` }),
  async *pages(ask, { domain }) {
    const of = { showArchived: 'true', ...(domain !== undefined && { domain }) };
    // A list has no total, so that links that are deleted meanwhile would go unnoticed.
    const count = async () => new ApiAnswer(dubApi, await ask({ path: '/links/count', query: of })).count('count');
    yield { records: [], total: await count() };
    for (let page = 1, size = pageSize; size === pageSize; page++) {
      const query = { ...of, sortBy: 'createdAt', sortOrder: 'asc', page: String(page), pageSize: String(pageSize) };
      const records = new ApiAnswer(dubApi, await ask({ path: '/links', query })).records();
      size = records.length;
      yield { records, total: null };
    }
    yield { records: [], total: await count() };
  },
};
