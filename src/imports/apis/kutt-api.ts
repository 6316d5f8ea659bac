import type { ImportApi } from './import-api';

/** The most that Kutt allows. */
const pageSize = 50;

/** Kutt's API 2: `GET /api/v2/links`, the newest first. The cursor is the number of links before the page. */
export const kuttApi: ImportApi<number> = {
  source: 'kutt',
  name: 'Kutt',
  baseUrl: null,
  choices: [],
  headers: (token) => ({ 'X-API-KEY': token }),
  async readPage(ask, cursor) {
    const skip = cursor ?? 0;
    const query = { limit: String(pageSize), skip: String(skip) };
    const answer = await ask({ path: '/api/v2/links', query });
    const records = answer.at('data').records();
    const total = answer.at('total').count();
    const next = skip + records.length;
    return { records, total, next: records.length === 0 || next >= total ? null : next };
  },
};
