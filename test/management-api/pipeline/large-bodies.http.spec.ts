import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { maxLargeBodies } from '../../../src/management-api/pipeline/body-parser.guard';
import { aProject } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { untilLocked } from '../../support/lock-waits';
import { withTransaction } from '../../support/other-session';
import { atEndOfTest } from '../../support/end-of-test';
import { type TestAccount } from '../../support/service';
import { serviceFixture } from '../../support/fixtures';

const sockets: Socket[] = [];
afterAll(() => sockets.forEach((socket) => socket.destroy()));
const on = serviceFixture();

const body = { operations: [{ op: 'create', link: { name: 'A link' } }] };

const aPlace = async ({ key }: TestAccount) => `/projects/${(await aProject(on, key)).id}/links/bulk`;

/** Sends a request all of whose body but the end arrives. */
async function begin(path: string, { key }: TestAccount, length: string): Promise<Socket> {
  const { port, hostname } = new URL(on.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  const headers = ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/json', length];
  socket.write([`POST /api/v1${path} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
  return socket;
}

/** Sends a small body whose length without its encoding is not known in advance. */
const sendEncoded = (path: string, { key }: TestAccount) =>
  fetch(`${on.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify(body)),
  });

test('an account sends four large bodies at once, and its small ones and other accounts go on', async () => {
  const [mine, theirs] = [await on.anAccount('enterprise'), await on.anAccount('enterprise')];
  const [path, other] = [await aPlace(mine), await aPlace(theirs)];
  const lengths = ['Content-Length: 2000000', 'Transfer-Encoding: chunked'];
  for (let at = 0; at < maxLargeBodies.ofAccount; at++) await begin(path, mine, lengths[at % 2]!);
  const refused = await eventually(async () => {
    const answer = await sendEncoded(path, mine);
    return answer.status === 429 && answer;
  });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(((await refused.json()) as { error: object }).error).toMatchObject({ details: { reason: 'concurrency' } });
  await on.api('post', path, mine.key).send(body).expect(200);
  expect((await sendEncoded(other, theirs)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await eventually(async () => (await sendEncoded(path, mine)).status === 200);
});

test('a small body that is a large one with very many values is refused as a whole', async () => {
  const owner = await on.anAccount('enterprise');
  const path = await aPlace(owner);
  const operations = `[${Array.from({ length: 600_000 }, () => '{}').join()}]`;
  const answer = await fetch(`${on.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json', 'content-encoding': 'br' },
    body: brotliCompressSync(`{"operations":${operations}}`, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  });
  expect(answer.status).toBe(400);
  const message = 'The body has too many values; send several requests';
  expect(((await answer.json()) as { error: object }).error).toMatchObject({
    code: 'INVALID_INPUT',
    details: [{ code: 'too_big', path: [], message }],
  });
});

test('a thousand links with all fields, ten tags and ten parameters are within the limit', async () => {
  const owner = await on.anAccount('enterprise');
  const projectPath = await aPlace(owner);
  const names = Array.from({ length: 10 }, (_, at) => `t${at}`);
  const url = 'https://example.com/';
  const operations = Array.from({ length: 1000 }, (_, at) => ({
    op: 'create',
    link: {
      name: `Link ${at}`,
      external_id: `crm-${at}`,
      tags: names,
      referrer_params: Object.fromEntries(names.map((name) => [name, 'x'])),
      ...{ social_title: 'x', social_description: 'x', title: 'x', notes: 'x', archived: false, disabled: false },
      ...{ desktop_url: url, ios_fallback_url: url, android_fallback_url: url, social_image_url: url },
    },
  }));
  const answer = await on.api('post', projectPath, owner.key).send({ operations }).expect(200);
  expect(answer.body.data).toMatchObject({ succeeded: 1000 });
});

test('clients that go away while their key is looked up leave no place taken', async () => {
  const account = await on.anAccount('enterprise');
  const path = await aPlace(account);
  const unknown = { ...account, key: await on.anotherKey(account.accountId) };
  const closed: Promise<unknown>[] = [];
  const server = on.service.app.getHttpServer();
  const note = (socket: Socket) => void closed.push(once(socket, 'close'));
  server.on('connection', note);
  atEndOfTest(() => server.off('connection', note));
  await withTransaction(on.database, async (lock) => {
    await lock.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    for (let at = 0; at < maxLargeBodies.ofAccount; at++) await begin(path, unknown, 'Content-Length: 2000000');
    await untilLocked(on.database, 'api_keys');
    await eventually(() => closed.length === maxLargeBodies.ofAccount);
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  });
  expect((await sendEncoded(path, account)).status).toBe(200);
});
