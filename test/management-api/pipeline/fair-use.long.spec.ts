import { Agent, request as httpRequest } from 'node:http';
import { Client } from 'pg';
import { timeLimits } from '../../../src/platform/postgres/time-limits';
import { aDynamicLink, anAndroidApp, anImport, anIosApp, aProject, unique } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { type TestAccount, withService } from '../../support/service';
import { fixture, serviceFixture } from '../../support/fixtures';

const maxWaitMs = 200;

const on = serviceFixture({ DATABASE_POOL_SIZE: '4', METRICS_PORT: '0' });
const [one, other] = [fixture(() => on.anAccount()), fixture(() => on.anAccount())];
const blocker = fixture(
  () => new Client({ connectionString: on.database.url }),
  (client) => client.end(),
);
let linkPath: string;
let otherPath: string;
const share = timeLimits.share;
beforeAll(async () => {
  await blocker.connect();
  [linkPath, otherPath] = [await aLinkPath(one), await aLinkPath(other)];
});
beforeEach(() => (timeLimits.share = maxWaitMs));
afterEach(async () => {
  timeLimits.share = share;
  await blocker.query('ROLLBACK');
});

async function aLinkPath({ key }: TestAccount): Promise<string> {
  const project = await aProject(on, key);
  return `/projects/${project.id}/links/${(await aDynamicLink(on, key, project.id)).id}`;
}

/** Sends a new name each time, because an update that changes nothing waits for no lock. */
const rename = (path: string, key: string) => on.api('put', path, key).send({ name: unique('renamed') });

/** Locks the link of the first account, so that its updates keep their connections. */
async function lockLink(): Promise<void> {
  await blocker.query('BEGIN');
  await blocker.query('SELECT FROM dynamic_links WHERE id = $1 FOR UPDATE', [linkPath.split('/').at(-1)]);
}

const waitingForLocks = async (): Promise<number> => {
  const [row] = await on.database.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return row!.count;
};

const metrics = async () => (await fetch(`http://127.0.0.1:${on.service.metricsPort}/metrics`)).text();
const waitingForShares = async () => Number(/^signpost_database_share_waiting (\d+)$/m.exec(await metrics())![1]);

/** Begins updates of the locked link, which use the whole share of the account. Returns their statuses. */
async function useShare(): Promise<{ statuses: Promise<number[]> }> {
  await lockLink();
  const answers = Promise.all(Array.from({ length: 2 }, () => rename(linkPath, one.key).then(({ status }) => status)));
  await eventually(async () => (await waitingForLocks()) === 2);
  return { statuses: answers };
}

test('an account with its share of the pool in use gets 429, and other accounts are served', async () => {
  const held = await useShare();
  const refused = await Promise.all([
    on.api('get', linkPath, one.key),
    on.api('get', '/account', one.key),
    on.api('get', '/account', await on.anotherKey(one.accountId)),
    on
      .api('post', '/projects', one.key)
      .set('Idempotency-Key', unique('k'))
      .send({ name: 'N', subdomain: unique('s') }),
  ]);
  for (const answer of refused) {
    expect(answer).toBeRefusedWith('RATE_LIMITED', { reason: 'concurrency' });
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.headers['x-ratelimit-remaining']).toBeDefined();
  }
  for (let time = 0; time < 5; time++) {
    await on.api('get', otherPath, other.key).expect(200);
    await rename(otherPath, other.key).expect(200);
  }
  expect((await fetch(`${on.url}/health/ready`)).status).toBe(200);
  expect(await metrics()).toMatch(/^signpost_database_share_refused_total [4-9]/m);
  expect(await waitingForShares()).toBe(0);
  await blocker.query('ROLLBACK');
  expect(await held.statuses).toEqual([200, 200]);
  await on.api('get', linkPath, one.key).expect(200);
});

test('a request waits for the share of its account while that takes little time', async () => {
  timeLimits.share = 20_000;
  const held = await useShare();
  const waits = on.api('get', linkPath, one.key).then(({ status }) => status);
  await on.api('get', otherPath, other.key).expect(200);
  await blocker.query('ROLLBACK');
  expect(await held.statuses).toEqual([200, 200]);
  expect(await waits).toBe(200);
});

describe('a read that a time limit of the database ends', () => {
  const reads: [what: string, path: () => string, alone: unknown][] = [
    ['a deep page', () => '/links?page=2&limit=1', { reason: 'too_expensive' }],
    ['a search', () => '/links?search=a', { reason: 'too_expensive' }],
    ['statistics', () => '/analytics', { reason: 'too_expensive' }],
    ['statistics by link', () => '/analytics?group_by=link', { reason: 'too_expensive' }],
    ['single clicks', () => '/clicks', undefined],
    ['rows of an import', () => `/imports/${importId}/rows`, undefined],
  ];
  let importId: string;
  beforeAll(async () => {
    const projectId = linkPath.split('/')[2]!;
    await aDynamicLink(on, one.key, projectId);
    importId = (await anImport(on, one.key, projectId)).id;
  });
  // The share of the pool is two.
  beforeEach(async () => {
    timeLimits.share = share;
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE dynamic_links, clicks, imports');
  });

  const cancelWaiting = async (): Promise<void> => {
    const processes: { pid: number }[] = await on.database.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    // The processes are listed first, because a cancelled read passes its connection on to one that waits.
    for (const { pid } of processes) await on.database.query('SELECT pg_cancel_backend($1)', [pid]);
  };

  const readTimes = (count: number, path: string) =>
    Promise.all(
      Array.from({ length: count }, () => on.api('get', linkPath.split('/links')[0]! + path, one.key).then((it) => it)),
    );

  test.each(reads)('is 429 if others of its account wait for the share: %s', async (_, path) => {
    // Nobody gives up before the reads end. Of two that wait, one still waits when the second read ends. Requests that come together share
    // look-ups, so there are more of them.
    timeLimits.share = maxWaitMs;
    const answers = readTimes(6, path());
    await eventually(async () => (await waitingForLocks()) === 2 && (await waitingForShares()) >= 2);
    await cancelWaiting();
    await eventually(async () => (await waitingForShares()) === 0);
    await blocker.query('ROLLBACK');
    const refused = (await answers).filter(({ status }) => status !== 200);
    // The two that were ended, and perhaps one that shared their look-up.
    expect(refused.length).toBeGreaterThanOrEqual(2);
    for (const answer of refused) {
      expect(answer).toBeRefusedWith('RATE_LIMITED', { reason: 'concurrency' });
      expect(answer.headers['retry-after']).toBe('1');
    }
  });

  test.each(reads)('is 503 if its account uses no more than the share: %s', async (_, path, alone) => {
    const answers = readTimes(2, path());
    // Look-ups before a read can wait for the share too, so the reads that use it must have begun.
    await eventually(async () => (await waitingForLocks()) === 2 && (await waitingForShares()) === 0);
    await cancelWaiting();
    for (const answer of await answers) {
      expect(answer).toBeRefusedWith('DATABASE_ERROR');
      expect((answer.body as { error: { details?: unknown } }).error.details).toEqual(alone);
    }
  });
});

test('an aborted request gives its connection back', async () => {
  timeLimits.share = share;
  const agent = new Agent();
  for (let time = 0; time < 4; time++) {
    await lockLink();
    const { port } = new URL(on.url);
    const aborted = httpRequest({
      port,
      agent,
      path: `/api/v1${linkPath}`,
      method: 'PUT',
      headers: { Authorization: `Bearer ${one.key}`, 'Content-Type': 'application/json' },
    });
    aborted.on('error', () => {});
    aborted.end(JSON.stringify({ name: `Aborted ${time}` }));
    await eventually(async () => (await waitingForLocks()) === 1);
    aborted.destroy();
    await blocker.query('ROLLBACK');
    await eventually(async () => (await waitingForLocks()) === 0);
  }
  const answers = await Promise.all(Array.from({ length: 2 }, () => on.api('get', linkPath, one.key)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('a burst of short requests of one account is served', async () => {
  timeLimits.share = share;
  const answers = await Promise.all(Array.from({ length: 60 }, () => on.api('get', linkPath, one.key)));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});

test('no operation needs more than one connection', async () => {
  await withService({ DATABASE_POOL_SIZE: '1' }, on.database, async (small) => {
    const { key } = await small.anAccount();
    const project = await aProject(small, key);
    const app = await anIosApp(small, key, project.id);
    await anAndroidApp(small, key, project.id);
    const link = await aDynamicLink(small, key, project.id, { ios_app_id: app.id });
    const base = `/projects/${project.id}`;
    const created = (path: string, body: object) =>
      small.api('post', path, key).set('Idempotency-Key', unique('k')).send(body).expect(201);
    await created(`${base}/links`, { name: 'N', desktop_url: 'https://example.com/', ios_app_id: app.id });
    await created(`${base}/short-links`, { dynamic_link_id: link.id });
    await created(`${base}/custom-domains`, { hostname: 'links.example.com' });
    await small.api('put', `${base}/links/${link.id}`, key).send({ name: 'M', ios_app_id: app.id }).expect(200);
    await small.api('put', base, key).send({ name: 'M' }).expect(200);
    const explained = `/links/${link.id}/explain?platform=ios`;
    const lists = ['/links', '/links?page=2&search=a', '/short-links?page=2'];
    for (const path of ['', ...lists, '/analytics?group_by=link', explained, '/association-health'])
      await small.api('get', base + path, key).expect(200);
    await small.api('get', '/account', key).expect(200);
    await small.api('delete', `${base}/links/${link.id}`, key).expect(200);
    await small.api('delete', base, key).expect(200);
  });
});
