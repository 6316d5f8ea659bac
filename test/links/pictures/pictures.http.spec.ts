import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { maxPictureBytes } from '../../../src/links/pictures/picture';
import { PicturePurge } from '../../../src/links/pictures/picture-purge';
import { PgPictureRepository } from '../../../src/links/pictures/pg-picture.repository';
import { maxPictureUploads } from '../../../src/links/pictures/pictures.service';
import { Log } from '../../../src/platform/observability/log';
import { BackgroundJobs } from '../../../src/shared/background-jobs';
import { aDynamicLink, aProject } from '../../support/builders';
import { accountFixture, dnsFixture, projectFixture, serviceFixture } from '../../support/fixtures';
import { sendRequest } from '../../support/raw-http';
import { aPng, claiming, withChunk } from './pictures';

const pages: Record<string, RequestListener> = {
  '/page': (_, response) =>
    response.end(
      '<title>Shop</title><meta name="description" content="All"><meta property="og:image" content="/image">',
    ),
  '/image': (_, response) => response.end(aPng(64, 32)),
  '/svg': (_, response) => response.end('<title>Shop</title><meta property="og:image" content="data:image/svg+xml,">'),
  '/moved': (_, response) => response.writeHead(302, { Location: '/page' }).end(),
  '/loop': (_, response) => response.writeHead(302, { Location: '/loop' }).end(),
  '/inside': (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1/page' }).end(),
  '/packed': (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('<title>Packed</title>'),
  '/large': (_, response) => response.end(`<title>Large</title>${'x'.repeat(2_000_000)}`),
};
const dns = dnsFixture();
const server = createServer((request, response) => {
  const page = pages[request.url!];
  if (page) page(request, response);
  else response.writeHead(404).end();
});
beforeAll(async () => {
  dns.setResponse('shop.test', { addresses: ['127.0.0.1'] });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

const on = serviceFixture(() => ({
  QUOTA_FREE_PICTURE_MB: '0',
  DNS_RESOLVERS: dns.address,
  PROBE_PRIVATE_ADDRESSES: 'true',
  PROBES_PER_MINUTE: '100',
}));
const account = accountFixture(on);
const project = projectFixture(on, account);

const upload = (bytes: Buffer, { key = account.key, of = project.id, type = 'image/png' } = {}) =>
  on.api('post', `/projects/${of}/pictures`, key).set('Content-Type', type).send(bytes);

/** Uploads a picture of another colour for each number, and returns its address. */
async function aPicture(number: number): Promise<string> {
  const { body } = await upload(aPng(40, 20, [number, 255 - number, 90, 255])).expect(201);
  return (body as { data: { url: string } }).data.url;
}

async function visit(url: string, method = 'GET', host = new URL(url).hostname) {
  const { status, headers, body } = await sendRequest(on.url, `${method} ${new URL(url).pathname}`, { Host: host });
  return { status, headers, body };
}

const contents = async () => (await on.database.query('SELECT FROM pictures')).length;

/** Runs the purge as after a start. */
const purge = () =>
  new PicturePurge(
    on.service.app.get(PgPictureRepository, { strict: false }),
    null,
    on.service.app.get(Log),
    new BackgroundJobs(false),
  ).sweep();

test('a picture is served by the link hosts of its project, to caches for ever', async () => {
  const { body, headers: created } = await upload(
    withChunk(aPng(2400, 1260), 'tEXt', Buffer.from('Author\0private')),
  ).expect(201);
  const { data } = body as { data: { url: string; bytes: number } };
  expect(data).toEqual({
    id: data.url.slice(-47, -4),
    url: expect.any(String),
    width: 1200,
    height: 630,
    bytes: expect.any(Number),
  });
  expect(created['location']).toBe(data.url);
  expect(data.url).toMatch(new RegExp(`^http://${project.subdomain}\\.localhost:3000/_pictures/[\\w-]{43}\\.jpg$`));
  for (const method of ['GET', 'HEAD', 'GET']) {
    const { status, headers } = await visit(data.url, method);
    expect([status, headers]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'image/jpeg',
        'content-length': String(data.bytes),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      }),
    ]);
  }
  await aDynamicLink(on, account.key, project.id, { social_image_url: data.url });
});

test('the same picture is stored once, and a project has its own', async () => {
  const before = await contents();
  const url = await aPicture(1);
  expect(await aPicture(1)).toBe(url);
  expect(await contents()).toBe(before + 1);
  const other = await aProject(on, account.key);
  expect((await visit(url, 'GET', `${other.subdomain}.localhost`)).status).toBe(404);
});

test.each(['_pictures/', '_pictures/x.jpg', `_pictures/${'A'.repeat(43)}.jpg`, `_pictures/${'A'.repeat(43)}.png`])(
  '%s is not found',
  async (path) => {
    expect((await visit(`http://${project.subdomain}.localhost/${path}`)).status).toBe(404);
  },
);

test('an address without a picture is not looked up each time', async () => {
  const url = await aPicture(2);
  const reverse = () =>
    on.database.query('UPDATE pictures SET digest = reverse(digest) WHERE project_id = $1', [project.id]);
  await reverse();
  expect((await visit(url)).status).toBe(404);
  await reverse();
  expect((await visit(url)).status).toBe(404);
});

test.each<[string, Buffer, string, string]>([
  ['an SVG', Buffer.from('<svg/>'), 'image/svg+xml', 'UNSUPPORTED_MEDIA_TYPE'],
  ['JSON', Buffer.from('{}'), 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
  ['nothing', Buffer.alloc(0), 'image/png', 'INVALID_INPUT'],
  ['an SVG that claims to be a PNG', Buffer.from('<svg/>'), 'image/png', 'INVALID_INPUT'],
  ['a bomb', claiming(50_000, 50_000), 'image/png', 'INVALID_INPUT'],
  ['more than 5 MB', Buffer.alloc(maxPictureBytes + 1), 'image/png', 'PAYLOAD_TOO_LARGE'],
])('%s is refused', async (_, bytes, type, code) => {
  expect(await upload(bytes, { type })).toBeRefusedWith(code as 'INVALID_INPUT');
});

test('more than 5 MB without a length is refused', async () => {
  const answer = await fetch(`${on.url}/api/v1/projects/${project.id}/pictures`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.key}`, 'Content-Type': 'image/png' },
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.alloc(maxPictureBytes + 1));
        controller.close();
      },
    }),
    duplex: 'half',
  });
  expect(answer.status).toBe(413);
});

test('uploads of an account beyond its places are refused', async () => {
  const answers = await Promise.all(
    Array.from({ length: maxPictureUploads.ofAccount + 1 }, (_, number) => upload(aPng(30, 30, [number, 1, 2, 255]))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429]);
});

test('the bytes of an account are limited by its plan', async () => {
  const poor = await on.anAccount('free');
  const own = await aProject(on, poor.key);
  const before = await contents();
  const answer = await upload(aPng(30, 30), { key: poor.key, of: own.id });
  const details = { limit: 0, used: 0, current_plan: 'free', required_plan: 'pro' };
  expect(answer).toBeRefusedWith('ACCESS_DENIED', details);
  const { body } = await on.api('get', '/account', account.key).expect(200);
  const [sum] = await on.database.query<{ used: string }>('SELECT sum(bytes) AS used FROM pictures');
  expect(body.data.quotas.picture_bytes).toEqual({ limit: 10_000_000_000, used: Number(sum!.used) });
  expect(await contents()).toBe(before);
});

describe('a picture that no link has', () => {
  /** Makes pictures as old as if the time had passed, between two looks of the purge. */
  async function after(days: number): Promise<void> {
    await purge();
    await on.database.query(`UPDATE pictures SET unused_since = unused_since - make_interval(days => ${days})`);
    await purge();
  }
  const isStored = async (url: string) =>
    (await on.database.query('SELECT FROM pictures WHERE digest = picture_digest($1)', [url])).length === 1;

  test('is removed after 30 days', async () => {
    const [unused, used, dropped] = [await aPicture(10), await aPicture(11), await aPicture(12)];
    await aDynamicLink(on, account.key, project.id, { social_image_url: used });
    const link = await aDynamicLink(on, account.key, project.id, { social_image_url: dropped });
    await after(29);
    expect([await isStored(unused), await isStored(used), await isStored(dropped)]).toEqual([true, true, true]);
    await on.api('delete', `/projects/${project.id}/links/${link.id}`, account.key).expect(200);
    await after(2);
    expect([await isStored(unused), await isStored(used), await isStored(dropped)]).toEqual([false, true, true]);
    await after(30);
    expect([await isStored(used), await isStored(dropped)]).toEqual([true, false]);
    expect((await visit(unused)).status).toBe(404);
    expect((await visit(used)).status).toBe(200);
  });

  test('stays if a link has it again, however many pictures changed at the same time', async () => {
    const urls = [await aPicture(20), await aPicture(21), await aPicture(22)];
    for (const url of urls) await aDynamicLink(on, account.key, project.id, { social_image_url: url });
    await purge();
    const digests = 'SELECT picture_digest(url) FROM unnest($1::text[]) AS url';
    const old = `UPDATE pictures SET unused_since = now() - interval '31 days' WHERE digest IN (${digests})`;
    await on.database.query(old, [urls]);
    await on.database.query(`SELECT retire_pictures('30 days', 1)`);
    for (const url of urls) expect(await isStored(url)).toBe(true);
  });

  test('stays for as long again if it is uploaded again', async () => {
    const url = await aPicture(13);
    await after(29);
    await aPicture(13);
    await after(29);
    expect(await isStored(url)).toBe(true);
  });
});

test('the pictures of a deleted project are removed', async () => {
  const before = await contents();
  const other = await aProject(on, account.key);
  await upload(aPng(9, 9), { of: other.id }).expect(201);
  await on.api('delete', `/projects/${other.id}`, account.key).expect(200);
  await purge();
  expect(await contents()).toBe(before);
});

describe('a web page', () => {
  const preview = async (path: string, host = 'shop.test') => {
    const url = `http://${host}:${(server.address() as AddressInfo).port}${path}`;
    const fromPage = `/projects/${project.id}/pictures/from-page`;
    const { body } = await on.api('post', fromPage, account.key).send({ url }).expect(200);
    return (body as { data: { picture: { url: string } | null } }).data;
  };

  test.each(['/page', '/moved'])('%s gives title, description and picture', async (path) => {
    const found = await preview(path);
    const picture = expect.objectContaining({ width: 64, height: 32 }) as object;
    expect(found).toEqual({ title: 'Shop', description: 'All', picture, failure: null });
    expect((await visit(found.picture!.url)).status).toBe(200);
  });

  test.each([
    ['/svg', { title: 'Shop', failure: null }],
    ['/large', { title: 'Large', failure: null }],
    ['/gone', { title: null, failure: 'no_page' }],
    ['/packed', { title: null, failure: 'no_page' }],
    ['/loop', { title: null, failure: 'no_page' }],
    ['/inside', { title: null, failure: 'private_address' }],
  ])('%s gives no picture', async (path, expected) => {
    expect(await preview(path)).toEqual({ description: null, picture: null, ...expected });
  });

  test('without an address is reported', async () => {
    expect(await preview('/page', 'nowhere.test')).toMatchObject({ failure: 'not_resolved' });
  });
});
