import { ApiAnswer } from './api-answer';
import type { ImportApi } from './import-api';

/** The most that Kutt allows. */
const pageSize = 50;

/** Kutt's API 2: `GET /api/v2/links`, the newest first. */
export const kuttApi: ImportApi = {
  source: 'kutt',
  name: 'Kutt',
  baseUrl: null,
  choices: [],
  headers: (token) => ({ 'X-API-KEY': token }),
  async *pages(ask) {
    for (let skip = 0; ;) {
      const query = { limit: String(pageSize), skip: String(skip) };
      const answer = new ApiAnswer(kuttApi, await ask({ path: '/api/v2/links', query }));
      const records = answer.at('data').records();
      const total = answer.at('total').count('total');
      yield { records, total };
      skip += records.length;
      if (records.length === 0 || skip >= total) return;
    }
  },
};
