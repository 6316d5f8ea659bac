import { createHash } from 'node:crypto';
import { ApiAnswer } from './api-answer';
import { IncompleteList } from './import-api.errors';
import type { ImportApi } from './import-api';

const pageSize = 500;

/**
 * The action `stats` of YOURLS. The signature is in the body, because logs of web servers have the query. Its order is that of
 * times alone, so that pages can repeat a link and leave out another one of the same second.
 */
export const yourlsApi: ImportApi = {
  source: 'yourls',
  name: 'YOURLS',
  baseUrl: null,
  choices: [],
  headers: () => ({}),
  async *pages(ask, _, token) {
    const form = { signature: token, action: 'stats', filter: 'last', format: 'json', limit: String(pageSize) };
    const seen = new Set<string>();
    for (let start = 0; ;) {
      const answer = new ApiAnswer(
        yourlsApi,
        await ask({ path: '/yourls-api.php', form: { ...form, start: String(start) } }),
      );
      const total = answer.at('stats').at('total_links').count('total_links');
      const links = answer.at('links');
      const records = links.isAbsent ? [] : links.values().records();
      for (const { shorturl } of records) seen.add(digestOf(shorturl));
      yield { records, total };
      start += records.length;
      if (seen.size < start) throw new IncompleteList(yourlsApi.name, 'lists a link more than once');
      if (records.length === 0 || start >= total) return;
    }
  },
};

/** Returns what stands for the address of a link in memory, because addresses have any length and a list has a million of them. */
const digestOf = (shorturl: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(shorturl) ?? '')
    .digest('base64url')
    .slice(0, 16);
