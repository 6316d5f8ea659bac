import { ApiAnswer } from './api-answer';
import { ImportApiFailure } from './import-api.errors';
import type { Ask, ImportApi } from './import-api';
import { type PartCursor, positionAfter, startOf } from './part-cursor';

/** The most that Short.io allows. */
const pageSize = '150';

interface Domain {
  readonly id: string;
  readonly hostname: unknown;
}

/** Short.io's API: `GET /api/links` for each domain of `GET /api/domains`. */
export const shortIoApi: ImportApi<PartCursor<Domain>> = {
  source: 'short-io',
  name: 'Short.io',
  baseUrl: 'https://api.short.io',
  choices: ['domain'],
  headers: (token) => ({ Authorization: token }),
  async readPage(ask, cursor, { domain }) {
    if (!cursor) return { records: [], total: null, next: startOf(await domainsOf(ask, domain)) };
    const { parts, after } = cursor;
    const [{ id, hostname }] = parts;
    const query = { domain_id: id, limit: pageSize, dateSortOrder: 'asc', ...(after !== null && { pageToken: after }) };
    const answer = new ApiAnswer(shortIoApi, await ask({ path: '/api/links', query }));
    // A link has the number of its domain alone.
    const records = answer.at('links').records();
    const next = positionAfter(shortIoApi, cursor, answer.at('nextPageToken').text('nextPageToken'));
    return { records: records.map((record) => ({ domain: hostname, ...record })), total: null, next };
  },
};

async function domainsOf(ask: Ask, domain: string | undefined): Promise<Domain[]> {
  const all = new ApiAnswer(shortIoApi, await ask({ path: '/api/domains' })).records();
  const chosen = domain === undefined ? all : all.filter(({ hostname }) => hostname === domain);
  if (chosen.length === 0)
    throw new ImportApiFailure(
      'empty_list',
      'Short.io lists no such domain for this token; check the domain and the token',
    );
  return chosen.map(({ id, hostname }) => ({ id: new ApiAnswer(shortIoApi, id).text('domain') ?? '', hostname }));
}
