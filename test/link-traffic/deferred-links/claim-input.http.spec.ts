import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import supertest from 'supertest';
import { type RawAnswer, sendRequest } from '../../support/raw-http';
import { serviceFixture } from '../../support/fixtures';
import { knownBadStrings } from '../../properties/generate-hostile';
import { aCampaign, type Campaign, claim, iosToken, unknownToken } from './claim-link';
import { fc, runs } from '../../support/properties';
import { sample } from '../../support/scale';

const on = serviceFixture();
let campaign: Campaign;
/** Stays valid, because refused requests must not use it up. */
let token: string;
beforeAll(async () => {
  campaign = await aCampaign(on);
  token = await iosToken(on, campaign);
});

const host = () => `${campaign.project.subdomain}.localhost`;

const send = (body: string | Buffer, headers: [string, string][] = [['Content-Type', 'application/json']]) =>
  sendRequest(on.url, 'POST /deferred-links/claim', [['Host', host()], ...headers], body);

function expectClaimHeaders(answer: RawAnswer): void {
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-ratelimit-limit': '1000000',
    'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset': expect.stringMatching(/^\d{13}$/),
  });
  expect(answer.headers).not.toHaveProperty('retry-after');
  expect(answer.headers).not.toHaveProperty('x-powered-by');
  expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.text));
}

const problem = (code: string, path: string[] = ['token']) => [{ code, path, message: expect.any(String) }];

test.each<[string, string, string]>([
  ['no token', '{}', 'required'],
  ['null', '{"token":null}', 'invalid_type'],
  ['an object', '{"token":{"$ne":null}}', 'invalid_type'],
  ['an empty text', '{"token":""}', 'too_small'],
  ['101 characters', JSON.stringify({ token: 'a'.repeat(101) }), 'too_big'],
  ['NUL', '{"token":"AAAAAAAAAAAAAAAAAAAAA\\u0000"}', 'invalid_format'],
  ['a lone surrogate', '{"token":"AAAAAAAAAAAAAAAAAAAAA\\ud800"}', 'invalid_format'],
])('%s as a token is refused with the field name', async (_, body, code) => {
  const answer = await send(body);
  expect(answer).toBeRefusedWith('INVALID_INPUT', problem(code));
  expectClaimHeaders(answer);
});

test.each([
  ['too_small', 'a'.repeat(21)],
  ['too_big', 'a'.repeat(65)],
  ['invalid_format', 'a'.repeat(21) + '!'],
  ['invalid_type', null],
])('an id of a claim is refused as %s', async (code, id) => {
  const answer = await send(JSON.stringify({ token, claim_id: id }));
  expect(answer).toBeRefusedWith('INVALID_INPUT', problem(code, ['claim_id']));
});

test.each<[string, string, string[]]>([
  ['one more', `{"token":"${unknownToken}","device_id":"x"}`, ['device_id']],
  ['without the token', '{"platform":"ios"}', ['platform']],
  ['__proto__', `{"token":"${unknownToken}","__proto__":{"token":"x"}}`, ['__proto__']],
  ['constructor', `{"constructor":1,"toString":2}`, ['constructor', 'toString']],
])('unknown fields (%s) are refused by name', async (_, body, fields) => {
  const answer = await send(body);
  expect(answer).toBeRefusedWith(
    'FORBIDDEN_FIELD',
    fields.flatMap((field) => problem('unrecognized_key', [field])),
  );
  expectClaimHeaders(answer);
});

test.each<[string, string | Buffer]>([
  ['nothing', ''],
  ['an array', `["${unknownToken}"]`],
  ['a form', `token=${unknownToken}`],
  ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ['deep nesting that ends', '{"token":'.repeat(5000) + '1' + '}'.repeat(5000)],
])('a body of %s is refused', async (_, body) => {
  const answer = await send(body);
  expect(answer).toBeRefusedWith('INVALID_INPUT');
  expectClaimHeaders(answer);
});

test.each([
  unknownToken,
  unknownToken.slice(1),
  `${unknownToken}\n`,
  'AAAAAAAAAAAAAAAAAAAAA+',
  '😀'.repeat(100),
  ...sample(
    knownBadStrings.filter((text) => text !== '' && text.length <= 100 && text.isWellFormed() && !text.includes('\0')),
    0,
    6,
  ),
])('%j is an unknown token', async (text) => {
  const answer = await send(JSON.stringify({ token: text }));
  expect(answer).toBeRefusedWith('NOT_FOUND');
  expect(answer.body).toEqual({ error: { code: 'NOT_FOUND', message: 'Deferred link not found' } });
  expectClaimHeaders(answer);
});

test('arbitrary JSON is refused with an error object', async () => {
  const body = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc.record({ token: fc.jsonValue({ maxDepth: 2 }) }).map((value) => JSON.stringify(value)),
    fc.record({ token: fc.string({ unit: 'binary', maxLength: 30 }) }).map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );
  await fc.assert(
    fc.asyncProperty(body, async (text) => {
      const answer = await send(text);
      const { code } = (answer.body as { error: { code: 'INVALID_INPUT' } }).error;
      expect(['INVALID_INPUT', 'FORBIDDEN_FIELD', 'NOT_FOUND']).toContain(code);
      expect(answer).toBeRefusedWith(code);
    }),
    runs(300),
  );
});

const headersOf = (lines: string[]) => lines.map((line) => line.split(': ') as [name: string, value: string]);

test.each<string[][]>([
  [[]],
  [['Content-Type: application/x-www-form-urlencoded']],
  [['Content-Type: application/json; charset=iso-8859-1']],
  [['Content-Type: text/plain', 'Content-Type: application/json']],
  [['Content-Type: application/json', 'Content-Encoding: compress']],
])('a body with %j has an unsupported media type', async (lines) => {
  const answer = await send(JSON.stringify({ token }), headersOf(lines));
  expect(answer).toBeRefusedWith('UNSUPPORTED_MEDIA_TYPE');
  expectClaimHeaders(answer);
});

test.each<string[][]>([
  [['Content-Type: application/json; charset=utf-8']],
  [['Content-Type: application/json', 'Content-Type: text/plain']],
])('a body with %j is read as JSON', async (lines) => {
  const fresh = await iosToken(on, campaign);
  expect((await send(JSON.stringify({ token: fresh }), headersOf(lines))).status).toBe(200);
});

describe('a body of more than 100 kB', () => {
  const padded = (bytes: number) => `{"token":"${unknownToken}"}`.padEnd(bytes, ' ');

  test('is refused, and a body of exactly 100 kB is not', async () => {
    expect(await send(padded(100_000))).toBeRefusedWith('NOT_FOUND');
    const answer = await send(padded(100_001));
    expect(answer).toBeRefusedWith('PAYLOAD_TOO_LARGE');
    expectClaimHeaders(answer);
  });

  test('is refused if sent in chunks', async () => {
    const chunk = ' '.repeat(60_000);
    const chunked = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(2) + '0\r\n\r\n';
    const headers = headersOf(['Content-Type: application/json', 'Transfer-Encoding: chunked']);
    expect(await send(chunked, headers)).toBeRefusedWith('PAYLOAD_TOO_LARGE');
  });

  test('is refused if compressed below the limit', async () => {
    const gzip = headersOf(['Content-Type: application/json', 'Content-Encoding: gzip']);
    expect(await send(gzipSync(Buffer.alloc(20_000_000, ' ')), gzip)).toBeRefusedWith('PAYLOAD_TOO_LARGE');
    expect(await send(gzipSync(padded(1000)), gzip)).toBeRefusedWith('NOT_FOUND');
    expect(await send('no gzip', gzip)).toBeRefusedWith('INVALID_INPUT');
  });
});

describe('the path', () => {
  test.each(['/deferred-links/claim?x=1', '/deferred%2Dlinks/claim', '/deferred-links%2fclaim'])(
    '%s is spelled otherwise and means the same',
    async (path) => {
      const answer = await supertest(on.url).post(path).set('Host', host()).send({ token: unknownToken });
      expect(answer).toBeRefusedWith('NOT_FOUND');
    },
  );

  test.each(['/deferred-links/claim/', '/Deferred-Links/Claim', '/summer'])('%s accepts no POST', async (path) => {
    const answer = await supertest(on.url).post(path).set('Host', host()).send({ token });
    expect([answer.status, answer.headers['allow'], answer.type]).toEqual([405, 'GET, HEAD', 'text/html']);
  });

  test('GET and HEAD are visits of an unknown link', async () => {
    for (const method of ['get', 'head'] as const) {
      const answer = await supertest(on.url)[method](`/deferred-links/claim?token=${token}`).set('Host', host());
      expect([answer.status, answer.type]).toEqual([404, 'text/html']);
      expect(answer.headers).not.toHaveProperty('x-ratelimit-limit');
    }
  });
});

test('a client that disconnects within its body logs no error', async () => {
  const { hostname, port } = new URL(on.url);
  for (let gone = 0; gone < 5; gone++) {
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    socket.write(
      `POST /deferred-links/claim HTTP/1.1\r\nHost: ${host()}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"token":`,
    );
    await sleep(20);
    socket.destroy();
    await once(socket, 'close');
  }
  expect(await send('{"token":"x"}')).toBeRefusedWith('NOT_FOUND');
});

// Runs last, to prove that the refused requests above did not use up the token.
test('the token of the refused requests is still valid', async () => {
  expect((await claim(on, campaign.project.subdomain, token)).status).toBe(200);
  expect(on.logLines.filter((line) => line.includes('app request failed'))).toEqual([]);
});
