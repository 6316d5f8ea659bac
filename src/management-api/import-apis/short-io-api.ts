import { ApiAnswer } from './api-answer';
import { EndlessList, ImportApiFailure } from './import-api.errors';
import type { ApiPage, Ask, ImportApi } from './import-api';

/** The most that Short.io allows. */
const pageSize = '150';

/** Short.io's API: `GET /api/links` for each domain of `GET /api/domains`. */
export const shortIoApi: ImportApi = {
  source: 'short-io',
  name: 'Short.io',
  baseUrl: 'https://api.short.io',
  choices: ['domain'],
  headers: (token) => ({ Authorization: token }),
  async *pages(ask, { domain }) {
    const all = new ApiAnswer(shortIoApi, await ask({ path: '/api/domains' })).records();
    const wanted = domain === undefined ? all : all.filter(({ hostname }) => hostname === domain);
    if (wanted.length === 0)
      throw new ImportApiFailure(
        'empty_list',
        'Short.io lists no such domain for this token; check the domain and the token',
      );
    for (const { id, hostname } of wanted) {
      const domainId = new ApiAnswer(shortIoApi, id).text('domain');
      yield* linksOf(ask, domainId ?? '', hostname);
    }
  },
};

async function* linksOf(ask: Ask, domainId: string, hostname: unknown): AsyncGenerator<ApiPage> {
  const query = { domain_id: domainId, limit: pageSize, dateSortOrder: 'asc' };
  let token: string | null = null;
  for (;;) {
    const more: Record<string, string> = token === null ? {} : { pageToken: token };
    const answer = new ApiAnswer(shortIoApi, await ask({ path: '/api/links', query: { ...query, ...more } }));
    // A link has the number of its domain alone.
    const records = answer.at('links').records();
    yield { records: records.map((record) => ({ domain: hostname, ...record })), total: null };
    const next: string | null = answer.at('nextPageToken').text('nextPageToken');
    if (next === null) return;
    if (next === token) throw new EndlessList(shortIoApi.name);
    token = next;
  }
}
