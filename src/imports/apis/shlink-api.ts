import type { SourceRecord } from '../sources/import-source';
import { ApiAnswer } from './api-answer';
import { countUntil, creationTimeOf } from './creation-times';
import { StrangeAnswer } from './import-api.errors';
import type { Ask, ImportApi } from './import-api';

const pageSize = '100';

/** Questions for redirect rules in a step. Each short URL has a separate answer, and a step that fails is repeated as a whole. */
const maxQuestions = 10;

/** Milliseconds after which a step asks for no further rules, so that slow servers answer a part of them. Tests lower it. */
export const ruleLimits = { askingMs: 5000 };

/** Characters of the redirect rules of a step, which are in memory together. */
const maxRulesLength = 500_000;

interface ShlinkCursor {
  /** Time of creation of the newest short URL at the beginning of the list. */
  readonly newest: number | null;
  readonly page: number;
  /** Short URLs of the page that were read already. */
  readonly read: number;
}

/** Shlink's REST API 3: `GET /rest/v3/short-urls`, the oldest first, so that new ones come at the end. */
export const shlinkApi: ImportApi<ShlinkCursor> = {
  source: 'shlink',
  name: 'Shlink',
  baseUrl: null,
  choices: [],
  headers: (token) => ({ 'X-Api-Key': token }),
  async readPage(ask, cursor) {
    if (!cursor) {
      const { records, total } = await listOf(ask, { page: '1', itemsPerPage: '1', orderBy: 'dateCreated-DESC' });
      return { total, next: { newest: creationTimeOf(records[0], 'dateCreated'), page: 1, read: 0 } };
    }
    const { newest, page, read } = cursor;
    const query = { page: String(page), itemsPerPage: pageSize, orderBy: 'dateCreated-ASC' };
    const list = await listOf(ask, query);
    const records = await withRules(ask, list.records.slice(read));
    const isWhole = read + records.length >= list.records.length;
    const next = isWhole ? { newest, page: page + 1, read: 0 } : { newest, page, read: read + records.length };
    return {
      records,
      total: list.total,
      counted: countUntil(newest, records, 'dateCreated'),
      next: next.page <= list.pages ? next : null,
    };
  },
};

async function listOf(ask: Ask, query: Readonly<Record<string, string>>) {
  const list = (await ask({ path: '/rest/v3/short-urls', query })).at('shortUrls');
  const pagination = list.at('pagination');
  return {
    records: list.at('data').records(),
    pages: pagination.at('pagesCount').count(),
    total: pagination.at('totalItems').count(),
  };
}

/** Returns the first records with their redirect rules, as many as a step may ask for. */
async function withRules(ask: Ask, all: readonly SourceRecord[]): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  const begunAt = performance.now();
  const isLate = (): boolean => performance.now() - begunAt > ruleLimits.askingMs;
  let questions = 0;
  let length = 0;
  for (const record of all) {
    if (record.hasRedirectRules !== true) records.push(record);
    else if (questions === maxQuestions || (questions > 0 && isLate())) break;
    else {
      questions++;
      const redirectRules = await rulesOf(ask, record);
      length += JSON.stringify(redirectRules).length;
      if (length > maxRulesLength) throw new StrangeAnswer(shlinkApi.name, 'with too many redirect rules');
      records.push({ ...record, redirectRules });
    }
  }
  return records;
}

async function rulesOf(ask: Ask, record: SourceRecord): Promise<SourceRecord[]> {
  const shortUrl = new ApiAnswer(shlinkApi.name, record);
  const code = shortUrl.at('shortCode').text() ?? '';
  const domain = shortUrl.at('domain').text();
  const answer = await ask({
    path: `/rest/v3/short-urls/${encodeURIComponent(code)}/redirect-rules`,
    query: domain === null ? {} : { domain },
  });
  return answer.at('redirectRules').records();
}
