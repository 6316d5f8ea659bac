import { ApiAnswer } from './api-answer';
import { EndlessList } from './import-api.errors';
import type { ImportApi } from './import-api';

/** The most that Rebrandly allows. */
const pageSize = 25;

/** Rebrandly's API: `GET /v1/links`. The id of the last link of a page leads to the next one. */
export const rebrandlyApi: ImportApi = {
  source: 'rebrandly',
  name: 'Rebrandly',
  baseUrl: 'https://api.rebrandly.com/v1',
  choices: ['domain', 'workspace'],
  headers: (token, { workspace }) => ({ apikey: token, ...(workspace !== undefined && { workspace }) }),
  async *pages(ask, { domain }) {
    const of: Record<string, string> = domain === undefined ? {} : { 'domain.fullName': domain };
    const query = { ...of, orderBy: 'createdAt', orderDir: 'desc', limit: String(pageSize) };
    for (let last: string | null = null; ;) {
      const answer = await ask({ path: '/links', query: { ...query, ...(last !== null && { last }) } });
      const records = new ApiAnswer(rebrandlyApi, answer).records();
      yield { records, total: null };
      if (records.length < pageSize) return;
      const next = new ApiAnswer(rebrandlyApi, records.at(-1)!.id).text('id');
      if (next === null || next === last) throw new EndlessList(rebrandlyApi.name);
      last = next;
    }
  },
};
