import type { SourceRecord } from '../import-sources/import-source';
import { ApiAnswer } from './api-answer';
import { countUntil, createdAt } from './creation-times';
import { StrangeAnswer } from './import-api.errors';
import type { Ask, ImportApi } from './import-api';

const pageSize = '100';

/** Characters of the redirect rules of a page, which are in memory together. Each short URL has a separate answer. */
const maxRulesLength = 500_000;

/** Shlink's REST API 3: `GET /rest/v3/short-urls`, the oldest first, so that new ones come at the end. */
export const shlinkApi: ImportApi = {
  source: 'shlink',
  name: 'Shlink',
  baseUrl: null,
  choices: [],
  headers: (token) => ({ 'X-Api-Key': token }),
  async *pages(ask) {
    const last = await listOf(ask, { page: '1', itemsPerPage: '1', orderBy: 'dateCreated-DESC' });
    const newest = createdAt(last.records[0], 'dateCreated');
    yield { records: [], total: last.total };
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = { page: String(page), itemsPerPage: pageSize, orderBy: 'dateCreated-ASC' };
      const list = await listOf(ask, query);
      pages = list.pages;
      const records: SourceRecord[] = [];
      let rulesLength = 0;
      for (const record of list.records) {
        const rules = await rulesOf(ask, record);
        if (rules) rulesLength += JSON.stringify(rules).length;
        if (rulesLength > maxRulesLength) throw new StrangeAnswer(shlinkApi.name, 'with too many redirect rules');
        records.push(rules ? { ...record, redirectRules: rules } : record);
      }
      yield { records, total: list.total, counted: countUntil(newest, records, 'dateCreated') };
    }
  },
};

async function listOf(ask: Ask, query: Readonly<Record<string, string>>) {
  const list = new ApiAnswer(shlinkApi, await ask({ path: '/rest/v3/short-urls', query })).at('shortUrls');
  const pagination = list.at('pagination');
  return {
    records: list.at('data').records(),
    pages: pagination.at('pagesCount').count('pagesCount'),
    total: pagination.at('totalItems').count('totalItems'),
  };
}

/** Reads the redirect rules of a short URL, which have a separate address. Returns null if it has none. */
async function rulesOf(ask: Ask, record: SourceRecord): Promise<SourceRecord[] | null> {
  if (record.hasRedirectRules !== true) return null;
  const code = new ApiAnswer(shlinkApi, record.shortCode).text('shortCode') ?? '';
  const domain = new ApiAnswer(shlinkApi, record.domain).text('domain');
  const answer = await ask({
    path: `/rest/v3/short-urls/${encodeURIComponent(code)}/redirect-rules`,
    query: domain === null ? {} : { domain },
  });
  return new ApiAnswer(shlinkApi, answer).at('redirectRules').records();
}
