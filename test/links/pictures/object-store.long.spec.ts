import { PgPictureRepository } from '../../../src/links/pictures/pg-picture.repository';
import { PicturePurge } from '../../../src/links/pictures/picture-purge';
import { PictureStore } from '../../../src/links/pictures/picture-store';
import { s3Limits } from '../../../src/links/pictures/s3-picture-store';
import { Log } from '../../../src/platform/observability/log';
import { BackgroundJobs } from '../../../src/shared/background-jobs';
import { aDynamicLink } from '../../support/builders';
import { ObjectStore } from '../../support/object-store';
import { sendRequest } from '../../support/raw-http';
import { aPng } from './pictures';
import { fixture, serviceFixture, accountFixture, projectFixture } from '../../support/fixtures';

const store = fixture(() => ObjectStore.start());
const on = serviceFixture(() => ({ PICTURES_S3_URL: store.url, PICTURES_S3_REGION: 'eu-central-1' }));
const account = accountFixture(on);
const project = projectFixture(on, account);
const { timeoutMs } = s3Limits;
afterEach(() => {
  store.fault = null;
  s3Limits.timeoutMs = timeoutMs;
});

const upload = (number: number) =>
  on
    .api('post', `/projects/${project.id}/pictures`, account.key)
    .set('Content-Type', 'image/png')
    .send(aPng(40, 20, [number, 90, 90, 255]));

async function aPicture(number: number): Promise<{ id: string; url: string; path: string }> {
  const { data } = (await upload(number).expect(201)).body;
  const [row] = await on.database.query<{ id: string }>('SELECT id FROM pictures WHERE digest = $1', [data.id]);
  return { ...data, path: `/bucket/pictures/${row!.id}` };
}

const visit = (url: string) => sendRequest(on.url, `GET ${new URL(url).pathname}`, { Host: new URL(url).hostname });

const removals = async () => (await on.database.query('SELECT FROM picture_removals')).length;

/** Runs the purge as after a start, when all removals are due. */
async function purge(): Promise<void> {
  await on.database.query('UPDATE picture_removals SET due_at = now()');
  const get = <T>(token: abstract new (...parts: never[]) => T): T => on.service.app.get(token, { strict: false });
  await new PicturePurge(get(PgPictureRepository), get(PictureStore), get(Log), new BackgroundJobs(false)).sweep();
}

test('a picture is in the bucket alone, and is served as from the database', async () => {
  const { url, path, id } = await aPicture(1);
  const [row] = await on.database.query('SELECT content FROM pictures WHERE digest = $1', [id]);
  expect(row).toEqual({ content: null });
  expect(store.requests).toEqual([`PUT ${path}`]);
  const { status, headers } = await visit(url);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'image/jpeg',
    'public, max-age=31536000, immutable',
  ]);
  expect(headers['content-length']).toBe(String(store.objects.get(path)!.length));
  expect(await removals()).toBe(0);
  await aPicture(1);
  expect(store.objects.size).toBe(1);
  const link = await aDynamicLink(on, account.key, project.id, { social_image_url: url });
  const code = `/projects/${project.id}/links/${link.id}/qr-code?format=svg&logo=${id}`;
  expect((await on.api('get', code, account.key).expect(200)).body.toString()).toContain(
    store.objects.get(path)!.toString('base64'),
  );
});

test('pictures that were stored before are served from the database', async () => {
  const { url, id } = await aPicture(2);
  await on.database.query('UPDATE pictures SET content = $1 WHERE digest = $2', [Buffer.from('earlier'), id]);
  expect((await visit(url)).headers['content-length']).toBe('7');
});

test.each([
  ['is refused', 403],
  ['fails', 500],
  ['takes too long', 0],
])('an upload whose object %s can be sent again, and leaves nothing', async (_, fault) => {
  const before = store.objects.size;
  Object.assign(store, { fault });
  if (fault === 0) s3Limits.timeoutMs = 100;
  expect(await upload(30 + fault / 10)).toBeRefusedWith('DATABASE_ERROR');
  expect(await removals()).toBe(1);
  store.fault = null;
  s3Limits.timeoutMs = timeoutMs;
  await purge();
  expect([await removals(), store.objects.size]).toEqual([0, before]);
  await upload(30 + fault / 10).expect(201);
});

test.each([403, 500, 0])('a visit is answered 503 while the store answers %d, and 200 afterwards', async (fault) => {
  const { url } = await aPicture(100 + fault / 10);
  Object.assign(store, { fault });
  if (fault === 0) s3Limits.timeoutMs = 100;
  const { status, headers } = await visit(url);
  expect([status, headers['retry-after']]).toEqual([503, '5']);
  store.fault = null;
  expect((await visit(url)).status).toBe(200);
});

test('a picture without its object is not found', async () => {
  const { url, path } = await aPicture(4);
  store.objects.delete(path);
  expect((await visit(url)).status).toBe(404);
});

test('the object of a removed picture is removed, also after a failure', async () => {
  const [one, other] = [await aPicture(5), await aPicture(6)];
  await on.database.query('DELETE FROM pictures WHERE digest = ANY ($1)', [[one.id, other.id]]);
  store.fault = 500;
  await purge();
  expect(await removals()).toBe(2);
  expect(on.logLines.join('')).toContain('is not removed and will be retried: Error: DELETE is answered 500');
  store.fault = null;
  await purge();
  expect([await removals(), store.objects.has(one.path), store.objects.has(other.path)]).toEqual([0, false, false]);
});
