import type { Import } from '../../../clients/typescript/src/index';
import { type ImportApiSettings, ImportApiClient } from '../../../src/imports/apis/import-api-client';
import { importApis } from '../../../src/imports/apis/import-apis';
import { pauses } from '../../../src/imports/apis/retry-pause';
import { maxFileRows } from '../../../src/imports/work/import-batch.service';
import { aProject } from '../../support/builders';
import type { ImportProcess } from '../../../src/app/import-process';
import { startImports } from '../../support/imports';
import { ImportRequests, none } from '../api/import-requests';
import {
  type Answer,
  bitly,
  dub,
  kutt,
  many,
  OtherSystems,
  rebrandly,
  shlink,
  shortIo,
  status,
  type System,
  token,
  yourls,
} from './other-systems';
import { samples, shlinkRules } from './samples';
import { serviceFixture, fixture, dnsFixture, accountFixture } from '../../support/fixtures';

const systems = fixture(() => OtherSystems.start());
const dns = dnsFixture();
const on = serviceFixture();
const account = accountFixture(on);
let imports: ImportRequests;
beforeEach(async () => (imports = new ImportRequests(on, account, (await aProject(on, account.key)).id)));
let worker: ImportProcess;
const production = { ...pauses };
beforeAll(async () => {
  for (const host of OtherSystems.hosts) dns.setResponse(host, { addresses: ['127.0.0.1'] });
  worker = await startWorker();
  Object.assign(pauses, { firstMs: 10, maxMs: 20 });
});
afterAll(() => Object.assign(pauses, production));

async function startWorker(environment: Record<string, string> = {}): Promise<ImportProcess> {
  const settings = { DNS_RESOLVERS: dns.address, IMPORT_PRIVATE_ADDRESSES: 'true', ...environment };
  const started = await startImports(on, settings);
  const { port, caCertificates } = systems;
  Object.assign(started.context.get(ImportApiClient, { strict: false }), { server: { port, caCertificates } });
  return started;
}

const start = (body: object) => imports.api('post', '/from-api').send({ token, ...body });

const check = async (body: object): Promise<Import> => imports.done((await start(body).expect(202)).body.data.id);

const bitlink = (at: number, fields: object = {}): Record<string, unknown> => ({
  id: `go.example.com/path-${at}`,
  link: `https://go.example.com/path-${at}`,
  custom_bitlinks: [],
  long_url: `https://shop.example.com/${at}`,
  title: `Link ${at}`,
  archived: false,
  tags: ['Mail'],
  deeplinks: [],
  created_at: '2024-05-01T12:00:00+0000',
  ...fields,
});

/** Sends the system its sample, and returns the body of the request and the records as a file would have them. */
const sampled: Record<string, () => { body: object; file: Record<string, unknown>[] }> = {
  bitly: () => {
    systems.set('api-ssl.bitly.com', bitly({ Bone: samples['bitly']! }));
    return { body: {}, file: samples['bitly']! };
  },
  dub: () => {
    systems.set('api.dub.co', dub(samples['dub']!));
    return { body: {}, file: samples['dub']! };
  },
  'short-io': () => {
    systems.set('api.short.io', shortIo({ 'go.example.com': samples['short-io']! }));
    return { body: {}, file: samples['short-io']!.map((link) => ({ domain: 'go.example.com', ...link })) };
  },
  rebrandly: () => {
    systems.set('api.rebrandly.com', rebrandly(samples['rebrandly']!));
    return { body: {}, file: samples['rebrandly']! };
  },
  shlink: () => {
    systems.set('shlink.example.com', shlink(samples['shlink']!, shlinkRules));
    const file = samples['shlink']!.map((link) =>
      link['hasRedirectRules'] ? { ...link, redirectRules: shlinkRules.summer } : link,
    );
    return { body: { url: 'https://shlink.example.com' }, file };
  },
  kutt: () => {
    systems.set('kutt.example.com', kutt(samples['kutt']!));
    return { body: { url: 'https://kutt.example.com/links/' }, file: samples['kutt']! };
  },
  yourls: () => {
    systems.set('yourls.example.com', yourls(samples['yourls']!));
    return { body: { url: 'https://yourls.example.com' }, file: samples['yourls']! };
  },
};

/** Reads the outcome of an import, without the fields that differ between projects. */
async function madeOf(place: ImportRequests, job: Import) {
  const ofProject = ['id', 'project_id', 'full_url', 'created_at', 'updated_at'];
  const links = Object.values(await place.links()).map((link) =>
    Object.fromEntries(Object.entries(link).filter(([field]) => !ofProject.includes(field))),
  );
  const rows = (await place.rows(job.id)).map(({ row, outcome, problems, unmapped }) => ({
    row,
    outcome,
    problems,
    unmapped,
  }));
  return { counts: job.counts, links, rows };
}

test.each([...importApis.keys()])(
  'an import from the API of %s equals that of a file with its links',
  async (source) => {
    const { body, file } = sampled[source]!();
    const options = { time_zone: 'Europe/Berlin' };
    const listed = await imports.run((await check({ source, options, ...body })).id);
    expect(listed).toMatchObject({ state: 'completed', failure: null, counts: { created: 1, refused: 1 } });
    const other = new ImportRequests(on, account, (await aProject(on, account.key)).id);
    const query = `source=${source}&options=${encodeURIComponent(JSON.stringify(options))}`;
    const fromFile = await other.import(file, query);
    const made = await madeOf(imports, listed);
    expect(made).toEqual(await madeOf(other, fromFile));
    expect(made.links[0]).toMatchObject({ imported_from: source, custom_path: 'summer' });
    const report = await imports.api('get', `/${listed.id}/report`).expect(200);
    expect(report.text).toContain('summer');
  },
);

test('a part of a list is chosen', async () => {
  systems.set('api-ssl.bitly.com', bitly({ Bone: [bitlink(1)], Btwo: [bitlink(2), bitlink(3)] }));
  expect((await check({ source: 'bitly', group: 'Btwo' })).rows).toBe(2);
  systems.set('api.rebrandly.com', rebrandly(samples['rebrandly']!));
  await check({ source: 'rebrandly', domain: 'go.example.com' });
  expect(systems.asked.at(-1)!.query.get('domain.fullName')).toBe('go.example.com');
});

const html: Answer = (response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>');
const raw =
  (body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(200, headers).end(body);
const page = (links: unknown, after: unknown = ''): Answer => ({ links, pagination: { search_after: after } });

test.each<[string, Answer | 'again' | 'equal', string, RegExp]>([
  ['a page for people', html, 'strange_answer', /^Bitly has sent an answer that is not JSON/],
  ['another object', { data: [] }, 'strange_answer', /without a list of links/],
  ['a list of texts', page(['a']), 'strange_answer', /with a link that is no object/],
  ['a number', raw('7'), 'strange_answer', /without links/],
  ['a cursor that is an object', page([bitlink(1)], {}), 'strange_answer', /search_after is neither text nor a number/],
  ['one cursor for ever', 'again', 'strange_answer', /^Bitly repeats the pages of its list/],
  ['one page for ever', 'equal', 'strange_answer', /^Bitly repeats the pages of its list/],
  ['more than 2 MB', raw(JSON.stringify('x'.repeat(2_000_000))), 'strange_answer', /more than 2 MB/],
  ['a compressed answer', raw('x', { 'Content-Encoding': 'gzip' }), 'strange_answer', /compressed answer/],
  ['no links', page([]), 'empty_list', /^Bitly lists no links for this token/],
  [
    'a redirect',
    status(302, { Location: 'https://169.254.169.254/' }),
    'redirected',
    /302; redirects are not followed/,
  ],
  ['a wrong token', status(401), 'token_refused', /^Bitly has answered with the status 401; check the token/],
  ['an error without end', status(500), 'wrong_status', /status 500; try again later/],
  ['a limit of days', status(429, { 'Retry-After': '90000' }), 'rate_limited', /its limit of requests is used up/],
  [
    'a status without an answer',
    ({ socket }) => socket!.end('HTTP/1.1 101 Up\r\n\r\n'),
    'wrong_status',
    /the status 101/,
  ],
])('%s ends the import with a reason', async (_, answer, code, failure) => {
  let at = 0;
  const repeated = { again: () => page([bitlink(at++)], 'again'), equal: () => page([bitlink(1)], String(at++)) };
  systems.set('api-ssl.bitly.com', () => (typeof answer === 'string' ? repeated[answer]() : answer));
  const job = await check({ source: 'bitly', group: 'Bone' });
  expect(job).toMatchObject({
    state: 'failed',
    failure_code: code,
    failure: expect.stringMatching(failure),
    finished_at: expect.any(String),
  });
  expect(job.failure).toMatch(/\. Nothing was created$/);
  expect(await imports.links()).toEqual({});
  expect(await imports.api('post', `/${job.id}/run`)).toBeRefusedWith('IMPORT_STATE', { state: 'failed' });
});

test.each<[string, Answer]>([
  ['page', page([bitlink(1)], 'third')],
  ['limit', status(429)],
  ['refusal', status(401)],
])('a %s that comes after another process has read on changes nothing', async (_, late) => {
  let id = '';
  const readOn = () =>
    on.database.query(
      `UPDATE imports SET list_progress = jsonb_set(list_progress, '{cursor,after}', '"third"') WHERE id = $1`,
      [id],
    );
  let asked = 0;
  systems.set('api-ssl.bitly.com', ({ query }) => {
    const after = query.get('search_after');
    if (after === 'third') return page([bitlink(2)]);
    if (after === null) return page([bitlink(0)], 'second');
    if (asked++ > 0) return page([bitlink(1)], 'third');
    return (response) =>
      void readOn().then(() => (typeof late === 'function' ? late(response) : response.end(JSON.stringify(late))));
  });
  ({ id } = (await start({ source: 'bitly', group: 'Bone' }).expect(202)).body.data);
  expect(await imports.done(id)).toMatchObject({ state: 'ready', rows: 2, counts: { ...none, created: 2 } });
  expect(asked).toBe(1);
});

test('a list that is larger than an import is not imported', async () => {
  let asked = 0;
  systems.set('api-ssl.bitly.com', () => ({
    links: [bitlink(asked)],
    pagination: { search_after: String(++asked) },
  }));
  const { id } = (await start({ source: 'bitly', group: 'Bone' }).expect(202)).body.data;
  await on.database.query('UPDATE imports SET file_rows = $2 WHERE id = $1', [id, maxFileRows - 3]);
  expect(await imports.done(id)).toMatchObject({
    state: 'failed',
    failure_code: 'list_too_large',
    failure: 'Bitly lists more than 1,000,000 links; choose a part, or import files. Nothing was created',
  });
});

test('a list that loses links while it is read is not imported', async () => {
  const links = many(60, (at) => ({ ...samples['kutt']![0], address: `path-${at}`, link: null, id: String(at) }));
  systems.set('kutt.example.com', (asked) => kutt(asked.query.get('skip') === '0' ? links : links.slice(1))(asked));
  const body = { source: 'kutt', url: 'https://kutt.example.com/links' };
  expect((await check(body)).failure).toMatch(/^Kutt has lost links .* may be missing; send the request again/);
  systems.set('kutt.example.com', ({ query }) =>
    query.get('skip') === '0' ? { data: links.slice(0, 50), total: 60 } : { data: [], total: 60 },
  );
  expect((await check(body)).failure).toMatch(/^Kutt has sent 50 of 60 links/);
  const doubled = many(1100, (at) => ({
    ...samples['yourls']![0],
    shorturl: `https://go.example.com/path-${at - Number(at === 1000)}`,
  }));
  systems.set('yourls.example.com', yourls(doubled));
  const { failure_code, failure } = await check({ source: 'yourls', url: 'https://yourls.example.com' });
  expect(failure_code).toBe('incomplete_list');
  expect(failure).toMatch(/^YOURLS lists a link more than once/);
});

describe('a list of Dub that changes while it is read', () => {
  const linkAt = (at: number) => ({
    ...samples['dub']![0],
    id: `link_${at}`,
    key: `path-${at}`,
    shortLink: null,
    externalId: null,
    createdAt: new Date(Date.UTC(2024, 4, 1) + at).toISOString(),
  });

  /** Reads a list of 250 links that changes before the answer to each question. */
  const checkChanging = (change: (links: Record<string, unknown>[], asked: Parameters<System>[0]) => void) => {
    const links = many(250, linkAt);
    systems.set('api.dub.co', (asked) => {
      change(links, asked);
      return dub(links)(asked);
    });
    return check({ source: 'dub' });
  };

  test('is not imported if as many links are deleted as created', async () => {
    const { failure_code, failure } = await checkChanging((links, { query }) => {
      if (query.get('page') !== '2') return;
      links.splice(0, 3);
      links.push(...many(3, (at) => linkAt(250 + at)));
    });
    expect(failure_code).toBe('incomplete_list');
    expect(failure).toMatch(/^Dub has sent 247 of 250 links/);
  });

  test('is imported if links are created alone', async () => {
    const created = await checkChanging((links, { query }) => {
      if (query.get('page') === '2') links.push(...many(3, (at) => linkAt(250 + at)));
    });
    expect(created).toMatchObject({ state: 'ready', rows: 253 });
    const counted = await checkChanging((links, { query }) => {
      if (query.get('sortOrder') === 'desc' && links.length < 253) links.push(linkAt(links.length));
    });
    expect(counted).toMatchObject({ state: 'ready', rows: 253 });
  });

  test('is not imported if it never rests', async () => {
    const { failure } = await checkChanging((links) => void links.push(linkAt(links.length)));
    expect(failure).toMatch(/^Dub has changed each time its links were counted, so that links may be missing/);
  });
});

test('redirect rules of a page are in memory together, so that they have a limit', async () => {
  const links = many(20, (at) => ({ ...samples['shlink']![0], shortCode: `path-${at}`, shortUrl: null }));
  const rule = { longUrl: `https://shop.example.com/${'x'.repeat(50_000)}`, priority: 1, conditions: [] };
  const rules = Object.fromEntries(links.map(({ shortCode }) => [shortCode, [rule]]));
  systems.set('shlink.example.com', shlink(links, rules));
  const { failure } = await check({ source: 'shlink', url: 'https://shlink.example.com' });
  expect(failure).toMatch(/^Shlink has sent an answer with too many redirect rules/);
  expect(systems.asked.length).toBeLessThan(15);
});

test('hosts without an address, a public address or a certificate are not read', async () => {
  const failureOf = async (host: string) => (await check({ source: 'shlink', url: `https://${host}` })).failure;
  expect(await failureOf('nowhere.example.com')).toMatch(/has no address in the DNS/);
  dns.setResponse('other.example.com', { addresses: ['127.0.0.1'] });
  expect(await failureOf('other.example.com')).toMatch(/has no valid certificate/);
  const client = worker.context.get(ImportApiClient, { strict: false });
  const { settings } = client as unknown as { settings: ImportApiSettings };
  systems.set('shlink.example.com', shlink(samples['shlink']!));
  try {
    Object.assign(client, { settings: { allowPrivateAddresses: false } satisfies ImportApiSettings });
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '10.0.0.1'], ['169.254.169.254'], ['::1']]) {
      dns.setResponse('shlink.example.com', { addresses });
      expect(await failureOf('shlink.example.com')).toMatch(/has an address that is not public/);
    }
  } finally {
    Object.assign(client, { settings });
    dns.setResponse('shlink.example.com', { addresses: ['127.0.0.1'] });
  }
  expect(systems.asked).toEqual([]);
});

test.each<[object, string]>([
  [{ source: 'shlink' }, 'url'],
  [{ source: 'shlink', url: 'http://shlink.example.com' }, 'url'],
  [{ source: 'shlink', url: 'https://127.0.0.1' }, 'url'],
  [{ source: 'shlink', url: 'https://0x7f.1' }, 'url'],
  [{ source: 'shlink', url: 'https://[::1]' }, 'url'],
  [{ source: 'shlink', url: 'https://ann:word@shlink.example.com' }, 'url'],
  [{ source: 'shlink', url: 'https://shlink.example.com/?a=b' }, 'url'],
  [{ source: 'shlink', url: 'https:shlink.example.com' }, 'url'],
  [{ source: 'bitly', url: 'https://bitly.example.com' }, 'url'],
  [{ source: 'bitly', domain: 'go.example.com' }, 'domain'],
  [{ source: 'kutt', url: 'https://kutt.example.com', workspace: 'w' }, 'workspace'],
  [{ source: 'rebrandly', workspace: 'w\r\nHost: x' }, 'workspace'],
  [{ source: 'bitly', token: 'short' }, 'token'],
  [{ source: 'bitly', token: `${token}\n` }, 'token'],
  [{ source: 'bitly', options: { x: 1 } }, 'options'],
])('%j is refused', async (body, field) => {
  const answer = await start(body);
  expect(answer).toBeRefusedWith('INVALID_INPUT');
  expect(answer.body.error.details[0].path[0]).toBe(field);
  expect(answer.text).not.toContain(token);
});

/** Lets the system hang, and returns a promise that resolves when it was asked. */
function hanging(): Promise<void> {
  let noteAsked = () => {};
  const asked = new Promise<void>((resolve) => (noteAsked = resolve));
  systems.set('api-ssl.bitly.com', () => () => noteAsked());
  return asked;
}

test('an import can be cancelled while its list is read', async () => {
  const asked = hanging();
  const { id } = (await start({ source: 'bitly' }).expect(202)).body.data;
  await asked;
  expect(await imports.api('post', `/${id}/run`)).toBeRefusedWith('IMPORT_STATE', { state: 'uploading' });
  const { data } = (await imports.api('post', `/${id}/cancel`).expect(200)).body;
  expect(data).toMatchObject({ state: 'cancelled', failure: null });
  const [stored] = await on.database.query('SELECT sealed_token, list_progress FROM imports WHERE id = $1', [id]);
  expect(stored).toEqual({ sealed_token: null, list_progress: null });
});

test('a list is read on by another process', async () => {
  const links = many(150, (at) => bitlink(at));
  const isStopped = { value: false };
  const page = bitly({ Bone: links });
  let noteAsked = () => {};
  const asked = new Promise<void>((resolve) => (noteAsked = resolve));
  // The second page waits until the first process has stopped.
  systems.set('api-ssl.bitly.com', (question) => {
    if (question.query.get('search_after') === null || isStopped.value) return page(question);
    return () => noteAsked();
  });
  const { id } = (await start({ source: 'bitly' }).expect(202)).body.data;
  await asked;
  await worker.stop();
  isStopped.value = true;
  const before = systems.asked.length;
  worker = await startWorker();
  expect(await imports.done(id)).toMatchObject({ state: 'ready', rows: 150, counts: { created: 150 } });
  // The first page was not read again.
  expect(systems.asked.length - before).toBeLessThanOrEqual(2);
});

test('a token that cannot be decrypted ends its import', async () => {
  const other = hanging();
  const { id } = (await start({ source: 'bitly' }).expect(202)).body.data;
  await other;
  await worker.stop();
  worker = await startWorker({ API_KEY_PEPPER: 'another-pepper-of-more-than-32-characters' });
  try {
    expect(await imports.done(id)).toMatchObject({ state: 'failed', failure_code: 'interrupted' });
  } finally {
    await worker.stop();
    worker = await startWorker();
  }
});

test('rows with the token, or of more than 250 kB, are refused alone', async () => {
  const large = bitlink(3, { title: 'x'.repeat(300_000) });
  systems.set('api-ssl.bitly.com', bitly({ Bone: [bitlink(1), bitlink(2, { title: `a ${token}` }), large] }));
  const { id, counts } = await check({ source: 'bitly' });
  expect(counts).toEqual({ ...none, created: 1, refused: 2 });
  expect((await imports.rows(id, 'refused')).map(({ problems, record }) => [problems[0]!.reason, record])).toEqual([
    ['The row contains the token, which is not stored', null],
    ['The row has more than 250 kB', null],
  ]);
});

// The last one, so that all imports of this file are searched.
test('no table and no log line has the token', async () => {
  for (const source of importApis.keys()) {
    const { body } = sampled[source]!();
    await check({ source, ...body });
    imports = new ImportRequests(on, account, (await aProject(on, account.key)).id);
  }
  systems.set('api-ssl.bitly.com', () => status(401));
  await check({ source: 'bitly' });
  const tables = await on.database.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['public.imports', 'public.import_jobs', expect.stringMatching(/^import_data\.files_/)]),
  );
  for (const { name } of tables) {
    const [found] = await on.database.query<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM ${name} AS t WHERE t::text LIKE '%' || $1 || '%' OR t::text LIKE '%' || encode($1::bytea, 'hex') || '%'`,
      [token],
    );
    expect([name, found]).toEqual([name, { rows: 0 }]);
  }
  expect(on.logLines.length).toBeGreaterThan(0);
  expect(on.logLines.filter((line) => line.includes(token))).toEqual([]);
});
