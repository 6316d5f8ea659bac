import { apiUrl } from '../../src/imports/apis/api-url';
import { importApis } from '../../src/imports/apis/import-apis';
import { listRequestOf } from '../../src/imports/api/import-from-api.dto';
import { load } from './load';

type Values = Record<string, string>;

const { apiSources } = load('pages/imports/api-sources');
const { apiFaults, apiBody } = load('pages/imports/api-request');
const { newImportSearch } = load('pages/imports/import-search');
const { saidCount } = load('pages/imports/said-count');

const token = 'secret-token';
const rules = { conflict: 'skip', timeZone: 'UTC' };

test('the console offers each API of the service, and asks for what it needs', () => {
  const facts = [...importApis.values()].map(({ source, baseUrl, choices }) => [
    source,
    expect.objectContaining({ needsUrl: baseUrl === null, parts: choices }),
  ]);
  expect(apiSources).toEqual(Object.fromEntries(facts));
});

test.each<[source: string, values: Values, faults: Values]>([
  ['bitly', {}, { token: 'missing' }],
  ['bitly', { token: ' ' }, { token: 'missing' }],
  ['bitly', { token: ` ${token}\n` }, {}],
  ['bitly', { token: 'seven--' }, { token: 'token' }],
  ['bitly', { token: `${token} ${token}` }, { token: 'token' }],
  ['bitly', { token: 'schlüssel' }, { token: 'token' }],
  ['bitly', { token: 'x'.repeat(1001) }, { token: 'token' }],
  ['bitly', { token, group: '' }, {}],
  ['bitly', { token, group: 'two words' }, { group: 'part' }],
  ['rebrandly', { token, domain: 'x'.repeat(254), workspace: 'w' }, { domain: 'part' }],
  ['shlink', { token: '' }, { url: 'missing', token: 'missing' }],
  ['kutt', { token, url: 'links' }, { url: 'url' }],
  ['kutt', { token, url: 'links.example.com' }, {}],
  ['kutt', { token, url: ' https://links.example.com/kutt/ ' }, {}],
])('values of %s: %j have the faults %j', (source, values, faults) => {
  expect(Object.fromEntries(apiFaults(source, values))).toEqual(faults);
});

test.each([
  'https://links.example.com',
  'https://links.example.com:8443/yourls/',
  'https://links',
  'http://links.example.com',
  'https:links.example.com',
  'https://',
  'https://ann@links.example.com',
  'https://ann:word@links.example.com',
  'https://links.example.com/?a=b',
  'https://links.example.com/#a',
  'https://127.0.0.1',
  'https://0x7f.1/',
  'https://[::1]/',
  `https://links.example.com/${'a'.repeat(500)}`,
])('the console and the service agree on the address %s', (url) => {
  expect(apiFaults('shlink', { token, url }).has('url')).toBe('problems' in apiUrl.safeParse(url));
});

test.each<[source: string, values: Values, body: object]>([
  ['bitly', { token: ` ${token} `, group: '' }, { token, options: {} }],
  ['bitly', { token, group: ' Bk1 ', url: 'https://x.example' }, { token, group: 'Bk1', options: {} }],
  ['yourls', { token, url: 'https://x.example ' }, { token, url: 'https://x.example', options: {} }],
  ['yourls', { token, url: 'x.example/yourls' }, { token, url: 'https://x.example/yourls', options: {} }],
])('the request for %s has the values of its fields, without white space around them', (source, values, body) => {
  const sent = apiBody(source, values, rules);
  expect(sent).toEqual({ source, conflict: 'skip', ...body });
  expect(listRequestOf(sent).token).toBe(token);
});

test('the request has the policy and the time zone', () => {
  const chosen = { conflict: 'replace', timeZone: 'Europe/Berlin' };
  expect(apiBody('dub', { token }, chosen)).toEqual({
    source: 'dub',
    token,
    conflict: 'replace',
    options: { time_zone: 'Europe/Berlin' },
  });
});

test.each([
  [0, 0],
  [7, 7],
  [10, 10],
  [99, 90],
  [1234, 1000],
  [999_999, 900_000],
])('screen readers hear %d as %d', (count, said) => {
  expect(saidCount(count)).toBe(said);
});

test.each<[raw: Record<string, unknown>, search: object]>([
  [{}, {}],
  [{ api: 'shlink', token: 'x' }, { api: 'shlink' }],
  [{ api: 'branch' }, {}],
  [{ api: ['bitly'] }, {}],
  [{ api: 'toString' }, {}],
])('the address with %j opens the form with %j', (raw, search) => {
  expect(newImportSearch(raw)).toEqual(search);
});
