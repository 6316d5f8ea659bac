import { ImportApiFailure } from './import-api.errors';
import type { Ask, ImportApi } from './import-api';
import { type PartCursor, partList } from './part-list';

/** The most that Short.io allows. */
const pageSize = '150';

interface Domain {
  readonly id: string;
  readonly hostname: string;
}

/** Short.io's API: `GET /api/links` for each domain of `GET /api/domains`. */
export const shortIoApi: ImportApi<PartCursor<Domain>> = {
  source: 'short-io',
  name: 'Short.io',
  baseUrl: 'https://api.short.io',
  choices: ['domain'],
  headers: (token) => ({ Authorization: token }),
  readPage: partList(
    (ask, { domain }) => domainsOf(ask, domain),
    async (ask, { id, hostname }, after) => {
      const page = { limit: pageSize, dateSortOrder: 'asc', ...(after !== null && { pageToken: after }) };
      const answer = await ask({ path: '/api/links', query: { domain_id: id, ...page } });
      // A link has the number of its domain alone.
      const records = answer.at('links').records();
      const next = answer.at('nextPageToken').text();
      return { records: records.map((record) => ({ domain: hostname, ...record })), next };
    },
  ),
};

async function domainsOf(ask: Ask, domain: string | undefined): Promise<Domain[]> {
  const all = (await ask({ path: '/api/domains' })).items().map((domain) => ({
    id: domain.at('id').text() ?? '',
    hostname: domain.at('hostname').text() ?? '',
  }));
  const chosen = all.filter(({ hostname }) => domain === undefined || hostname === domain);
  if (chosen.length > 0) return chosen;
  const message = 'Short.io lists no such domain for this token; check the domain and the token';
  throw new ImportApiFailure('empty_list', message);
}
