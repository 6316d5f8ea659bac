import { DataSource } from 'typeorm';
import { ExportLimits, maxExports } from '../../../src/tenancy/accounts/export-limits';
import { streamLimits } from '../../../src/api-kit/kit/streamed-answer';
import { responseLimits } from '../../../src/platform/http/server-limits';
import { aDynamicLink, anImport, aProject, type ProjectBody } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { atEndOfTest } from '../../support/end-of-test';
import { manyLinks, RunningExport } from './running-export';

const production = { ...responseLimits };
let on: TestService;
let account: TestAccount;
let project: ProjectBody;
beforeEach(async () => {
  // A slow machine would cut off the exports that a test does not read yet.
  responseLimits.stallTimeoutMs = 600_000;
  on = await aService({ SHUTDOWN_TIMEOUT_SECONDS: '1', METRICS_PORT: '0' });
  account = await on.anAccount('enterprise');
  project = await aProject(on, account.key);
  // More than connections buffer.
  await manyLinks(on, project.id, 1500, 20_000);
});
afterEach(async () => {
  Object.assign(responseLimits, production);
  await on.stop();
});

const start = (key = account.key, of = project.id) => RunningExport.start(on, key, of);
const running = () => on.service.app.get(ExportLimits).running;

test('an account runs two exports at once, and other accounts go on', async () => {
  const exports = [await start(), await start()];
  expect([running(), maxExports.ofAccount]).toEqual([2, 2]);
  const refused = await on.api('get', `/projects/${project.id}/links/export`, account.key);
  expect(refused).toBeRefusedWith('RATE_LIMITED', { reason: 'concurrency' });
  expect(refused.headers['retry-after']).toBe('10');
  const metrics = await (await fetch(`http://127.0.0.1:${on.service.metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/^signpost_exports_running 2$/m);

  const another = await on.anAccount('pro');
  const theirs = await aProject(on, another.key);
  await on.api('get', `/projects/${theirs.id}/links/export`, another.key).expect(200);

  expect(await exports[0]!.links()).toHaveLength(1500);
  exports[1]!.close();
  await eventually(() => running() === 0);
  await on.api('head', `/projects/${project.id}/links/export`, account.key).expect(200);
});

test('a report of an import counts as an export', async () => {
  const { id } = await anImport(on, account.key, project.id);
  const path = `/projects/${project.id}/imports/${id}/report`;
  const exports = [await start(), await start()];
  expect(await on.api('get', path, account.key)).toBeRefusedWith('RATE_LIMITED', { reason: 'concurrency' });
  for (const one of exports) one.close();
  await eventually(() => running() === 0);
  await on.api('get', path, account.key).expect(200);
});

test('a process runs ten exports at once', async () => {
  const exports: RunningExport[] = [];
  for (let accounts = 0; accounts < maxExports.ofProcess / maxExports.ofAccount; accounts++) {
    const { key } = await on.anAccount('enterprise');
    const { id } = await aProject(on, key);
    await manyLinks(on, id, 1500, 20_000);
    exports.push(await start(key, id), await start(key, id));
  }
  const refused = await on.api('get', `/projects/${project.id}/links/export`, account.key);
  expect(refused).toBeRefusedWith('RATE_LIMITED', { reason: 'concurrency' });
  for (const one of exports) one.close();
});

test('a revoked key ends its export, and the place is free again', async () => {
  const { recheckIntervalMs } = streamLimits;
  streamLimits.recheckIntervalMs = 50;
  atEndOfTest(() => Object.assign(streamLimits, { recheckIntervalMs }));
  const [owner, stolen] = [await on.anAccount('enterprise'), account];
  const theirs = (await aProject(on, owner.key)).id;
  await manyLinks(on, theirs, 1500, 20_000);
  const [kept, ended] = [await start(owner.key, theirs), await start(stolen.key)];
  await on.database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [stolen.apiKeyId]);
  await eventually(() => running() === 1);
  await expect(ended.text()).rejects.toThrow('aborted');
  expect(await kept.links()).toHaveLength(1500);
});

test('a client that does not read is reset, and its place is free again', async () => {
  await on.stop();
  Object.assign(responseLimits, { stallTimeoutMs: 2000, stallCheckIntervalMs: 50 });
  on = await aService();
  account = await on.anAccount('enterprise');
  project = await aProject(on, account.key);
  await manyLinks(on, project.id, 1500, 20_000);
  const stalled = await start();
  expect(running()).toBe(1);
  await eventually(() => running() === 0);
  await expect(stalled.text()).rejects.toThrow('aborted');
});

test('a shutdown cuts exports off after its time limit', async () => {
  const stalled = await start();
  await on.stop();
  expect(running()).toBe(0);
  await expect(stalled.text()).rejects.toThrow('aborted');
  on = await aService();
});

test('no more is read than the client takes, and what connections buffer', async () => {
  const count = 3000;
  const batches = count / 100;
  const large = await aProject(on, account.key);
  await manyLinks(on, large.id, count, 20_000);
  const logged = jest.spyOn(on.service.app.get(DataSource).logger, 'logQuery');
  const batchesRead = () => logged.mock.calls.filter(([sql]) => sql.includes('EXISTS (SELECT FROM projects p')).length;
  atEndOfTest(() => logged.mockRestore());
  const running = await start(account.key, large.id);
  let before: number;
  do {
    before = batchesRead();
    // An export that does not wait for its client would continue between these.
    for (let times = 0; times < 20; times++)
      await on.api('get', `/projects/${large.id}/links?limit=1`, account.key).expect(200);
  } while (batchesRead() > before);
  // 60 MB; the connection holds 10 MB at most.
  expect(before).toBeLessThan(batches / 2);
  expect(await running.links()).toHaveLength(count);
  expect(batchesRead()).toBe(batches + 1);
});

test('deletions, changes and creations meanwhile neither lose nor repeat other links', async () => {
  const running = await start();
  const before = await on.database.query<{ id: string; custom_path: string }>(
    'SELECT id, custom_path FROM dynamic_links WHERE project_id = $1 ORDER BY created_at, id',
    [project.id],
  );
  const deleted = before.filter((_, at) => at % 100 === 7).map(({ id }) => id);
  for (const id of deleted) await on.api('delete', `/projects/${project.id}/links/${id}`, account.key).expect(200);
  for (const { id } of before.slice(-3))
    await on.api('put', `/projects/${project.id}/links/${id}`, account.key).send({ name: 'Renamed' }).expect(200);
  const created = await aDynamicLink(on, account.key, project.id);
  const links = await running.links();
  const ids = links.map(({ id }) => id as string);
  expect(new Set(ids).size).toBe(ids.length);
  const isDeleted = new Set(deleted);
  const kept = before.filter(({ id }) => !isDeleted.has(id)).map(({ id }) => id);
  expect(ids.filter((id) => !isDeleted.has(id) && id !== created.id)).toEqual(kept);
  // The client was far behind, so that the rest shows what has happened since.
  expect(ids.filter((id) => isDeleted.has(id)).length).toBeLessThan(deleted.length);
  expect(links.filter(({ name }) => name === 'Renamed')).toHaveLength(3);
});

test('an export of a project that is deleted meanwhile does not look complete', async () => {
  const running = await start();
  await on.api('delete', `/projects/${project.id}`, account.key).expect(200);
  await expect(running.text()).rejects.toThrow('aborted');
});

test('an export goes on after an outage of the database', async () => {
  const running = await start();
  await on.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE '%management API'`,
  );
  expect(await running.links()).toHaveLength(1500);
});
