import { randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { mintApiKey } from '../../../src/tenancy/api-keys/api-key-secret';
import type { ErrorCode } from '../../../src/shared/domain-error';
import type { Problem } from '../../../src/shared/problem';
import { aProject, unique } from '../../support/builders';
import { sample } from '../../support/scale';
import { type RawAnswer, sendBytes, sendRequest } from '../../support/raw-http';
import { Agent, request as httpRequest } from 'node:http';
import { fixture, serviceFixture, projectFixture } from '../../support/fixtures';

const on = serviceFixture({ QUOTA_PRO_PROJECTS: 'unlimited' });
const account = fixture(() => on.anAccount());
const project = projectFixture(on, account);

const internals =
  /select |insert |update .* set |delete from|relation|column|constraint|pg_|typeorm|\.[jt]s\b|node_modules|\/work|\/src\/| {4}at |stack/i;
/** Returns the statuses in the log lines of refusals with the request's id. */
const refusalsOf = (requestId: string): unknown[] =>
  on.logLines
    .filter((line) => line.includes(requestId))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['message'] === 'request refused' && line['request_id'] === requestId)
    .map((line) => line['status']);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Headers = Record<string, string> | [string, string][];

/** Sends a request with the account's key unless `headers` contains Authorization. */
async function send(startLine: string, headers: Headers = {}, body: string | Buffer = ''): Promise<RawAnswer> {
  const given: [string, string][] = Array.isArray(headers) ? headers : Object.entries(headers);
  const own: [string, string][] = given.some(([name]) => name === 'Authorization')
    ? []
    : [['Authorization', `Bearer ${account.key}`]];
  const answer = await sendRequest(on.url, startLine, [...own, ...given], body);
  expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(answer.text).not.toMatch(internals);
  return answer;
}

const postJson = (body: string | Buffer, headers: Record<string, string> = {}) =>
  send('POST /api/v1/projects', { 'Content-Type': 'application/json', ...headers }, body);

const aBody = () => JSON.stringify({ name: 'N', subdomain: unique('e') });

describe('authentication', () => {
  const keyOf = (change: (key: string) => string) => () => change(account.key);

  test.each<[string, () => string]>([
    ['an empty value', () => ''],
    ['only the scheme', () => 'Bearer'],
    ['a key without scheme', keyOf((key) => key)],
    ['the scheme Basic', keyOf((key) => `Basic ${key}`)],
    ['the scheme Basic with the encoded key', keyOf((key) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`)],
    ['the scheme Token', keyOf((key) => `Token ${key}`)],
    ['a scheme that starts with Bearer', keyOf((key) => `BearerX ${key}`)],
    ['no space', keyOf((key) => `Bearer${key}`)],
    ['a colon', keyOf((key) => `Bearer: ${key}`)],
    ['quotes', keyOf((key) => `Bearer "${key}"`)],
    ['two credentials in one header', keyOf((key) => `Bearer ${key}, Bearer ${key}`)],
    ['two keys', keyOf((key) => `Bearer ${key} ${key}`)],
    // test/tenancy/api-keys/api-key-secret.spec.ts has the other forms of keys.
    ['something after the key', keyOf((key) => `Bearer ${key};`)],
    ['a well-formed unknown key', () => `Bearer ${mintApiKey()}`],
    ['non-ASCII bytes', () => 'Bearer svc_live_ÿÿÿÿ'],
  ])('returns 401 for %s in Authorization', async (_, value) => {
    const answer = await send('GET /api/v1/projects', { Authorization: value() });
    expect(answer).toBeRefusedWith('UNAUTHORIZED');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test('returns 401 for two Authorization headers', async () => {
    const [good, bad] = [`Bearer ${account.key}`, `Bearer ${mintApiKey()}`];
    for (const values of [
      [good, bad],
      [bad, good],
      [good, good],
    ]) {
      const headers = values.map((value): [string, string] => ['Authorization', value]);
      expect(await send('GET /api/v1/projects', headers)).toBeRefusedWith('UNAUTHORIZED');
    }
  });

  test('returns the same 401 for a revoked key as for an unknown key', async () => {
    const revoked = await on.anAccount();
    await on.service.app.get(ApiKeysService).revoke(revoked.apiKeyId);
    const keys = [undefined, 'x', mintApiKey(), revoked.key];
    const answers = await Promise.all(keys.map((key) => on.api('get', '/projects', key)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  // RFC 9110: the scheme is case-insensitive (11.1); a field value excludes the white space around it (5.5).
  test.each([
    ['a lower-case scheme', (key: string) => `bearer ${key}`],
    ['an upper-case scheme', (key: string) => `BEARER ${key}`],
    ['two spaces', (key: string) => `Bearer  ${key}`],
    ['trailing space', (key: string) => `Bearer ${key}  `],
  ])('accepts %s', async (_, value) => {
    expect((await send('GET /api/v1/projects', { Authorization: value(account.key) })).status).toBe(200);
  });

  test('ignores a key in the query', async () => {
    expect(await on.api('get', `/projects?api_key=${account.key}`)).toBeRefusedWith('UNAUTHORIZED');
  });
});

describe('a request body', () => {
  const utf8 = (text: string) => Buffer.from(text);
  const named = (...bytes: number[]) => Buffer.concat([utf8('{"name":"'), Buffer.from(bytes), utf8('"}')]);

  const detail = (code: Problem['code'], message = expect.any(String) as string) => [{ code, path: [], message }];

  test.each(['[]', 'null', '"name"', '1', 'true'])('with the JSON value %s returns 400', async (body) => {
    const message = 'The body must be a JSON object';
    expect(await postJson(body)).toBeRefusedWith('INVALID_INPUT', detail('invalid_type', message));
  });

  test.each<[string, string | Buffer]>([
    ['white space', '   '],
    ['truncated JSON', '{"name":"N"'],
    ['two JSON values', '{}{}'],
    ['a form', 'name=N&subdomain=x'],
    ['a NUL byte', utf8('{"name":"N"}\0')],
    ['truncated UTF-8', named(0xc3)],
    ['an overlong slash', named(0xc0, 0xaf)],
    ['a surrogate in UTF-8', named(0xed, 0xa0, 0x80)],
    ['UTF-16', Buffer.from('{"name":"N"}', 'utf16le')],
  ])('with %s returns 400', async (_, body) => {
    const message = 'The body is not valid JSON in UTF-8';
    const answer = await postJson(body);
    expect(answer).toBeRefusedWith('INVALID_INPUT', detail('invalid_json', message));
    expect(answer.body).toMatchObject({ error: { message } });
  });

  // test/platform/http/json-limits.spec.ts has the limits of nesting.
  test('with nested objects in a field returns 400', async () => {
    const answer = await postJson(`{"name":${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}}`);
    expect(answer).toBeRefusedWith('INVALID_INPUT', detail('too_big'));
    expect(answer.text).toContain('too deep');
  });

  test.each<[string, Record<string, string>]>([
    ['without headers', {}],
    ['with Content-Length 0', { 'Content-Length': '0' }],
    ['with only Content-Type', { 'Content-Type': 'application/json' }],
    ['with an empty chunked encoding', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }],
  ])('that is empty, %s, returns 400', async (_, headers) => {
    const body = headers['Transfer-Encoding'] ? '0\r\n\r\n' : '';
    const answer = await send('POST /api/v1/projects', headers, body);
    // A chunked encoding has no length, so that its emptiness shows when it is read.
    expect(answer).toBeRefusedWith('INVALID_INPUT', detail(body ? 'invalid_json' : 'required'));
  });

  // RFC 8259, section 8.1: a parser may ignore a byte order mark.
  test('with a byte order mark is accepted', async () => {
    const answer = await postJson(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8(aBody())]));
    expect(answer.status).toBe(201);
  });

  const body150Kb = JSON.stringify({ name: 'x'.repeat(150_000) });

  test('of 150 kB in chunks returns 413', async () => {
    const chunked = `${body150Kb.length.toString(16)}\r\n${body150Kb}\r\n0\r\n\r\n`;
    expect(await postJson(chunked, { 'Transfer-Encoding': 'chunked' })).toBeRefusedWith('PAYLOAD_TOO_LARGE');
  });

  test('with a Content-Length of 5 GB returns 413 before it is sent', async () => {
    expect(await postJson('{', { 'Content-Length': '5000000000' })).toBeRefusedWith('PAYLOAD_TOO_LARGE');
  });

  test('of 100 kB is read, but one more byte returns 413', async () => {
    const sized = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`;
    expect(await postJson(sized(100_000))).toBeRefusedWith('INVALID_INPUT');
    expect(await postJson(sized(100_001))).toBeRefusedWith('PAYLOAD_TOO_LARGE');
  });

  test.each([
    ...[undefined, '', 'text/plain', 'application/x-www-form-urlencoded', 'text/json', 'application/jsonx'],
    ...['application/merge-patch+json', 'application/json, text/plain'],
    ...['application/json; charset=iso-8859-1', 'application/json; charset=utf-16'],
  ])('with the Content-Type %s returns 415', async (type) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
    expect(await send('POST /api/v1/projects', headers, aBody())).toBeRefusedWith('UNSUPPORTED_MEDIA_TYPE');
  });

  test.each([
    ...['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'application/json; charset="utf-8"'],
    ...['application/json', 'Application/JSON', 'application/json; profile=x'],
  ])('with the Content-Type %s is accepted', async (type) => {
    const answer = await postJson(aBody(), { 'Content-Type': type });
    expect(answer.status).toBe(201);
  });

  test('that is compressed with gzip is limited by its decompressed size', async () => {
    const gzip = { 'Content-Encoding': 'gzip' };
    expect(await postJson(gzipSync(body150Kb), gzip)).toBeRefusedWith('PAYLOAD_TOO_LARGE');
    expect(await postJson(gzipSync('x'.repeat(5_000_000)), gzip)).toBeRefusedWith('PAYLOAD_TOO_LARGE');
    expect(await postJson(aBody(), gzip)).toBeRefusedWith('INVALID_INPUT', detail('invalid_format'));
    const truncated = gzipSync(aBody()).subarray(0, 20);
    expect(await postJson(truncated, gzip)).toBeRefusedWith('INVALID_INPUT', detail('invalid_format'));
  });

  test.each([
    ['zstd', '"zstd"'],
    ['gzip, gzip', '"gzip, gzip"'],
    ['"x"', String.raw`"\"x\""`],
    ['x'.repeat(200), `"${'x'.repeat(100)}…"`],
  ])('with the Content-Encoding %s returns 415 with its name', async (encoding, named) => {
    const answer = await postJson(aBody(), { 'Content-Encoding': encoding });
    expect(answer).toBeRefusedWith('UNSUPPORTED_MEDIA_TYPE');
    const message = `The Content-Encoding ${named} is not supported; use gzip, deflate, br, or send the body unencoded`;
    expect(answer.body).toMatchObject({ error: { message } });
    expect(answer.headers['accept-encoding']).toBe('gzip, deflate, br');
  });

  test.each(['gzip', 'deflate', 'br'] as const)('may have the Content-Encoding %s', async (encoding) => {
    const encode = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[encoding];
    expect((await postJson(encode(aBody()), { 'Content-Encoding': encoding })).status).toBe(201);
  });

  test('is ignored on an operation without one', async () => {
    const answer = await send('GET /api/v1/projects', { 'Content-Type': 'text/plain' }, '{');
    expect(answer.status).toBe(200);
  });
});

describe('a URL', () => {
  test.each([
    ...['/api/v1/projects/%ff', '/api/v1/projects/%', '/api/v1/%e0%80%80', '/%ff', '/api/v1/projects?search=%'],
    ...['/api/v1/projects?%ff=1', '/api/v1/projects/%ff?search=%ff'],
  ])('such as %s, which cannot be decoded, returns 400', async (path) => {
    expect(await send(`GET ${path}`)).toBeRefusedWith('INVALID_INPUT', [
      { code: 'invalid_format', path: [], message: expect.stringContaining('is not valid percent-encoded UTF-8') },
    ]);
  });

  test('of the API that cannot be decoded returns 401 without a key', async () => {
    for (const path of ['/api/v1/projects/%ff', '/api/v1/projects?search=%ff'])
      expect(await sendRequest(on.url, `GET ${path}`)).toBeRefusedWith('UNAUTHORIZED');
  });

  // test/management-api/pipeline/route-table.spec.ts has more paths.
  const ofApi = ['/api/v1', '/api/v1/', '/api/v1/nothing', '/api/v1/projects/%00', '/api/v1/../v1/projects'];
  const elsewhere = ['/', '/nothing', '/api/v1x', '/API/v1/projects', '/x/../api/v1/projects', '/api/%76%31/projects'];

  test.each<[string, ErrorCode]>([
    ...[...ofApi, '/api/v1/projects/..%2f..%2fhealth%2flive'].map(
      (path) => [path, 'UNAUTHORIZED'] as [string, ErrorCode],
    ),
    ...elsewhere.map((path) => [path, 'NOT_FOUND'] as [string, ErrorCode]),
  ])('such as %s, which has no route, returns NOT_FOUND with a key and %s without', async (path, withoutKey) => {
    expect(await send(`GET ${path}`)).toBeRefusedWith('NOT_FOUND');
    expect(await sendRequest(on.url, `GET ${path}`)).toBeRefusedWith(withoutKey);
  });

  test('with a trailing slash still needs a key', async () => {
    expect((await send('GET /api/v1/projects/')).status).toBe(200);
    expect(await sendRequest(on.url, 'GET /api/v1/projects/')).toBeRefusedWith('UNAUTHORIZED');
  });

  test.each(['http://localhost:3000', 'http://elsewhere.example', 'https://summer.localhost'])(
    'in absolute form (%s) is handled like one in origin form',
    async (origin) => {
      expect((await send(`GET ${origin}/api/v1/projects`)).status).toBe(200);
      expect(await sendRequest(on.url, `GET ${origin}/api/v1/projects`)).toBeRefusedWith('UNAUTHORIZED');
      expect(await send(`GET ${origin}/nothing`)).toBeRefusedWith('NOT_FOUND');
    },
  );

  test.each(['http://', 'http://[::1', 'http://[::1/api/v1/projects'])(
    'in malformed absolute form (%s) returns NOT_FOUND',
    async (target) => {
      const answer = await sendRequest(on.url, `GET ${target}`);
      expect(answer).toBeRefusedWith('NOT_FOUND');
      for (const header of ['x-request-id', 'x-ratelimit-limit']) expect(answer.headers).toHaveProperty(header);
    },
  );

  test('in asterisk form returns NOT_FOUND', async () => {
    expect(await send('OPTIONS *')).toBeRefusedWith('NOT_FOUND');
  });
});

describe('a method', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LOCK'];

  /** Returns the methods of every path, including the paths that the API description leaves out. */
  async function routes(): Promise<Map<string, string[]>> {
    const { body } = await on.api('get', '/openapi.json').expect(200);
    const described = Object.entries((body as { paths: Record<string, object> }).paths).map(([path, operations]) => {
      const answered = Object.keys(operations).filter((name) => name !== 'parameters');
      return [`/api/v1${path}`, answered.map((name) => name.toUpperCase())] as [string, string[]];
    });
    const health = ['live', 'startup', 'ready', 'ready/traffic'].map((check) => `/health/${check}`);
    const undescribed = ['/api/v1/openapi.json', '/api/docs', ...health];
    return new Map([...described, ...undescribed.map((path): [string, string[]] => [path, ['GET']])]);
  }

  test('that the path does not support returns 405 with the supported methods in Allow', async () => {
    const all = await routes();
    expect(all.size).toBeGreaterThanOrEqual(7);
    for (const [at, [template, answered]] of [...all].entries()) {
      const path = template
        .replace('{projectId}', project.id)
        .replace(/\{\w+\}/g, '0198c0de-7e57-7000-8000-000000000001');
      const allowed = answered.includes('GET') ? [...answered, 'HEAD'] : answered;
      const refused = methods.filter((name) => !allowed.includes(name));
      for (const method of sample(refused, at, 1)) {
        const answer = await send(`${method} ${path}`);
        expect(`${method} ${template} ${answer.status}`).toBe(`${method} ${template} 405`);
        if (method !== 'HEAD') expect(answer).toBeRefusedWith('METHOD_NOT_ALLOWED');
        expect(answer.headers['allow']?.split(', ').sort()).toEqual([...allowed].sort());
      }
    }
  });

  test('that the path does not support returns 405 despite a query and a body', async () => {
    expect(await send('PATCH /api/v1/projects?x=1', {}, 'x')).toBeRefusedWith('METHOD_NOT_ALLOWED');
    expect(await send('POST /health/live?x=1')).toBeRefusedWith('METHOD_NOT_ALLOWED');
  });

  test.each(['PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])('%s without a key returns 401 without Allow', async (method) => {
    const answer = await sendRequest(on.url, `${method} /api/v1/projects`);
    expect(answer).toBeRefusedWith('UNAUTHORIZED');
    expect(answer.headers['allow']).toBeUndefined();
  });

  test('in X-HTTP-Method-Override is ignored', async () => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'DELETE' };
    const answer = await send(`POST /api/v1/projects/${project.id}?_method=DELETE`, headers);
    expect(answer).toBeRefusedWith('METHOD_NOT_ALLOWED');
  });

  test('HEAD returns the headers of GET without a body', async () => {
    const [get, head] = [await send('GET /api/v1/projects'), await send('HEAD /api/v1/projects')];
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect((await sendRequest(on.url, 'HEAD /api/v1/projects')).status).toBe(401);
  });
});

describe('malformed HTTP', () => {
  const request = (startLine: string, headers: string, body = '') =>
    `${startLine} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${body}`;

  test.each<[string, string, 400 | 431]>([
    ['garbage', 'hello\r\n\r\n', 400],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00', 400],
    ['a space in the target', request('GET /api/v1/a b', 'X: y'), 400],
    ['a header without colon', request('GET /', 'no-colon'), 400],
    ['NUL in a header', request('GET /', 'X: a\0b'), 400],
    ['two Content-Length headers', request('POST /', 'Content-Length: 1\r\nContent-Length: 2', 'x'), 400],
    ['two lengths', request('POST /', 'Content-Length: 1\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), 400],
    ['an unknown transfer encoding', request('POST /', 'Transfer-Encoding: chunked, x', '0\r\n\r\n'), 400],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 400],
    ['a header of 20 kB', request('GET /', `X: ${'x'.repeat(20_000)}`), 431],
  ])('(%s) returns the JSON error format and closes the connection', async (_, bytes, status) => {
    const answer = await sendBytes(on.url, bytes);
    const details = [{ code: 'invalid_format', path: [], message: expect.any(String) }];
    if (status === 400) expect(answer).toBeRefusedWith('INVALID_INPUT', details);
    else expect(answer).toBeRefusedWith('HEADERS_TOO_LARGE');
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(answer.headers).toMatchObject({ 'x-request-id': expect.stringMatching(uuid), connection: 'close' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.text).not.toMatch(internals);
    expect(refusalsOf(answer.headers['x-request-id']!)).toEqual([status]);
  });

  test.each([
    ['without Host', 'X: y', 'no Host header'],
    ['with two Host headers', 'Host: localhost\r\nhost: localhost', 'more than one Host header'],
    ['with one behind 1,100 others', `Host: a${'\r\na:'.repeat(1100)}\r\nHost: b`, 'more than one Host header'],
    ['with two Host headers of link hosts', 'Host: a.localhost\r\nHost: b.localhost', 'more than one Host header'],
  ])('(HTTP/1.1 %s) returns the JSON error format and closes the connection', async (_, headers, fault) => {
    const message = `The request has ${fault}; send one`;
    for (const method of ['GET', 'POST']) {
      const id = randomUUID();
      const bytes = `${method} /api/v1/projects HTTP/1.1\r\n${headers}\r\nX-Request-Id: ${id}\r\n\r\n`;
      const answer = await sendBytes(on.url, bytes);
      expect(answer).toBeRefusedWith('INVALID_INPUT', [{ code: 'invalid_format', path: [], message }]);
      expect(answer.headers).toMatchObject({ 'x-request-id': id, connection: 'close' });
      expect(refusalsOf(id)).toEqual([400]);
    }
  });

  test('(HTTP/1.0 without Host) is no fault, and reaches the management API', async () => {
    expect((await sendBytes(on.url, 'GET /health/live HTTP/1.0\r\n\r\n')).status).toBe(200);
    expect(await sendBytes(on.url, 'GET /api/v1/projects HTTP/1.0\r\n\r\n')).toBeRefusedWith('UNAUTHORIZED');
  });

  test('(an unknown Expect) is ignored', async () => {
    expect((await send('GET /api/v1/projects', { Expect: 'a-miracle' })).status).toBe(200);
  });
});

describe('X-Request-Id', () => {
  const idFor = async (...sent: string[]) => {
    const headers = sent.map((id): [string, string] => ['X-Request-Id', id]);
    return (await send('GET /api/v1/projects', headers)).headers['x-request-id'];
  };

  test.each(['a', 'abc-123_X.y', '0198c0de-7e57-7000-8000-000000000001', 'x'.repeat(128)])(
    'is returned if the request sends %s',
    async (id) => expect(await idFor(id)).toBe(id),
  );

  test.each(['', 'x'.repeat(129), 'a b', '<script>', '"a"', 'ä', 'a%0d%0ab', 'a,b'])(
    'is replaced if the request sends %j',
    async (id) => expect(await idFor(id)).toMatch(uuid),
  );

  test('is replaced if the request sends two', async () => expect(await idFor('a', 'b')).toMatch(uuid));

  test('differs for each request, also outside the API', async () => {
    const paths = ['/api/docs', '/api/v1/openapi.json', '/health/live', '/nothing', '/%ff'].flatMap((path) => [
      path,
      path,
    ]);
    const answers = await Promise.all(paths.map((path) => sendRequest(on.url, `GET ${path}`)));
    const ids = [...answers, await on.visit('nobody', '/x')].map(({ headers }) => headers['x-request-id']);
    for (const id of ids) expect(id).toMatch(uuid);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('requests of one connection count for the callers of their credentials', async () => {
  const [mine, other] = [await on.anAccount(), await on.anAccount()];
  const own = await aProject(on, mine.key);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  const statusOf = (authorization: string | string[] | undefined): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(`${on.url}/api/v1/projects/${own.id}`, { agent }, (response) => {
        ports.add(response.socket.localPort);
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject);
      if (authorization !== undefined) sent.setHeader('Authorization', authorization);
      sent.end();
    });
  const mineSent = `Bearer ${mine.key}`;
  const sequence: [authorization: string | string[] | undefined, status: number][] = [
    [mineSent, 200],
    [`Bearer ${other.key}`, 403],
    [mineSent, 200],
    [undefined, 401],
    [mineSent, 200],
    [[mineSent, mineSent], 401],
    [`Bearer ${mine.key.slice(0, -1)}`, 401],
    [`bearer   ${mine.key}`, 200],
    [`Basic ${mine.key}`, 401],
    [mineSent, 200],
  ];
  try {
    for (const [authorization, status] of sequence)
      expect([authorization, await statusOf(authorization)]).toEqual([authorization, status]);
    expect(ports.size).toBe(1);
  } finally {
    agent.destroy();
  }
});
