import { isDeepStrictEqual } from 'node:util';
import { versionOfThis } from '../../../src/shared/package-root';
import { aDynamicLink, aProject } from '../../support/builders';
import { createDatabase, type TestDatabase } from '../../support/database';
import { DatabaseProxy } from '../../support/database-proxy';
import { becomesTrue, eventually } from '../../support/eventually';
import { startImports } from '../../support/imports';
import { sendRequest } from '../../support/raw-http';
import { type TestService, withService } from '../../support/service';
import { SteadyClock } from '../../support/steady-clock';
import { useGenerousTimeLimits, useProductionTimeLimits } from '../../support/time-limits';
import { fixture, serviceFixture } from '../../support/fixtures';

/** The time limit of the database check plus a tolerance. */
const maxProbeMs = 2000 + 500;

const roles = ['all', 'api', 'traffic'] as const;

const database = fixture(() => createDatabase());
/** Measures probes. Its queries do not pass the proxy. */
const clock = fixture(() => new SteadyClock(() => database.query('SELECT')));
const proxy = fixture(() => DatabaseProxy.before(database.url));
const behindProxy = () => ({ ...database, url: proxy.url });
const services = Object.fromEntries(roles.map((role) => [role, serviceFixture({ ROLE: role }, behindProxy)])) as Record<
  (typeof roles)[number],
  TestService
>;
const imports = fixture(() => startImports({ ...services.all, database: behindProxy() }));
const ofImports = () => ({ url: `http://127.0.0.1:${imports.port}` });
// No service is starting while its connections are blocked.
beforeAll(() => untilAllUp());

interface ProbeResult {
  status: number;
  data: { status: string; checks?: Record<string, string> };
  durationMs: number;
}

async function probe(of: { url: string }, path: string): Promise<ProbeResult> {
  const startedAt = clock.now();
  const { status, body } = await sendRequest(of.url, `GET /health/${path}`);
  return { status, data: body['data'] as ProbeResult['data'], durationMs: clock.now() - startedAt };
}

const allUp = { database: 'up', migrations: 'done', change_listener: 'up' };

const applicationNames = ['management API', 'change listener', 'link traffic', 'link traffic writes'].map(
  (one) => `signpost ${one}`,
);

const untilAllUp = () =>
  eventually(async () => {
    const answers = await Promise.all(roles.map((role) => probe(services[role], 'ready')));
    return answers.every(({ data }) => Object.values(data.checks!).every((check) => check !== 'down'));
  });

/** Blocks the database connections with these application names while `work` runs. */
async function withBlockedConnections(names: string[], work: () => Promise<void>): Promise<void> {
  names.forEach((name) => proxy.blackhole(name));
  try {
    await work();
  } finally {
    useGenerousTimeLimits();
    proxy.heal();
    await untilAllUp();
  }
}

/** Waits until the change listener of a service is down, which the limit of heartbeats delays. */
const untilNotListening = (role: (typeof roles)[number]) =>
  eventually(async () => (await probe(services[role], 'ready')).data.checks?.['change_listener'] === 'down');

/** Applies the limits of production meanwhile, which promise when a probe ends. */
const withUnresponsiveDatabase = (work: () => Promise<void>): Promise<void> =>
  withBlockedConnections(applicationNames, () => {
    useProductionTimeLimits();
    return work();
  });

describe('while the database is up', () => {
  beforeEach(() => untilAllUp());

  test.each(roles)('the role %s is live, started and ready on every Host header', async (role) => {
    const { url } = services[role];
    for (const host of ['localhost:3000', '10.42.0.17:3000', '[fd00::17]:3000', 'api.example.com']) {
      const expected = [
        { data: { status: 'live', version: versionOfThis() } },
        { data: { status: 'started' } },
        { data: { status: 'ready', checks: { ...allUp, redis: 'unused', clickhouse: 'unused' } } },
      ].map((body) => [200, 'no-store', body]);
      let answers: unknown[] = [];
      // A stall of the machine delays heartbeats, so that the change listener is down for a moment.
      await becomesTrue(async () => {
        const responses = await Promise.all(
          ['live', 'startup', 'ready'].map((path) => sendRequest(url, `GET /health/${path}`, { Host: host })),
        );
        answers = responses.map(({ status, headers, body }) => [status, headers['cache-control'], body]);
        return isDeepStrictEqual(answers, expected);
      });
      expect(answers).toEqual(expected);
    }
    const head = await sendRequest(url, 'HEAD /health/ready');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('a process of imports is ready without a change listener', async () => {
    expect(await probe(ofImports(), 'startup')).toMatchObject({ status: 200, data: { status: 'started' } });
    expect(await probe(ofImports(), 'ready')).toMatchObject({
      status: 200,
      data: { status: 'ready', checks: { ...allUp, change_listener: 'unused', redis: 'unused', clickhouse: 'unused' } },
    });
  });

  test('/health/ready/traffic returns 200 in roles with link traffic and 404 in the others', async () => {
    for (const role of ['all', 'traffic'] as const)
      expect(await probe(services[role], 'ready/traffic')).toMatchObject({ status: 200, data: { status: 'ready' } });
    for (const other of [services.api, ofImports()]) expect((await probe(other, 'ready/traffic')).status).toBe(404);
  });

  test('60 concurrent probes use one database connection', async () => {
    const connections = async (): Promise<number> => {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*)::int FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'signpost link traffic'`,
      );
      return row!.count;
    };
    await probe(services.traffic, 'ready');
    const before = await connections();
    const probes = Array.from({ length: 60 }, () => probe(services.traffic, 'ready'));
    expect((await Promise.all(probes)).filter(({ status }) => status !== 200)).toEqual([]);
    // Another one may serve a background task that runs at the same time.
    expect(await connections()).toBeLessThanOrEqual(before + 1);
  });
});

describe('while the database does not answer', () => {
  test('the API and imports are not ready, link traffic is ready, and every role has started', async () => {
    const { key } = await services.all.anAccount();
    const project = await aProject(services.all, key);
    await aDynamicLink(services.all, key, project.id, { custom_path: 'known', desktop_url: 'https://example.com/' });
    for (const role of ['all', 'traffic'] as const) {
      // A notification that arrives during the visit would keep the answer out of the cache.
      services[role].noteWrite();
      await services[role].visit(project.subdomain, '/known').expect(302);
    }
    await withUnresponsiveDatabase(async () => {
      const down = { ...allUp, database: 'down', change_listener: 'down' };
      for (const role of roles) await untilNotListening(role);
      const answers = await Promise.all(roles.map((role) => probe(services[role], 'ready')));
      expect(answers.map(({ status, data }) => [status, data.status])).toEqual([
        [503, 'unready'],
        [503, 'unready'],
        [200, 'ready'],
      ]);
      for (const { data } of answers) expect(data.checks).toEqual({ ...down, redis: 'unused', clickhouse: 'unused' });
      expect(await probe(services.all, 'ready/traffic')).toMatchObject({ status: 200, data: { status: 'ready' } });
      expect(await probe(ofImports(), 'ready')).toMatchObject({
        status: 503,
        data: { status: 'unready', checks: { ...down, change_listener: 'unused' } },
      });
      for (const path of ['live', 'startup']) expect((await probe(ofImports(), path)).status).toBe(200);
      for (const role of roles)
        for (const path of ['live', 'startup']) expect((await probe(services[role], path)).status).toBe(200);
      for (const role of ['all', 'traffic'] as const)
        await services[role].visit(project.subdomain, '/known').expect(302);
    });
    expect((await probe(services.api, 'ready')).status).toBe(200);
  });

  test('25 probes return 503 in time and log the fault once', async () => {
    await withUnresponsiveDatabase(async () => {
      const before = services.api.logLines.length;
      const answers = await Promise.all(Array.from({ length: 24 }, () => probe(services.api, 'ready')));
      answers.push(await probe(services.api, 'ready'));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      expect(Math.max(...answers.map(({ durationMs }) => durationMs))).toBeLessThan(maxProbeMs);
      const logged = services.api.logLines
        .slice(before)
        .filter((line) => line.includes('the database does not answer'));
      expect(logged).toHaveLength(1);
    });
  });
});

test('a service stays ready while its notification connection is down', async () => {
  await withBlockedConnections(['signpost change listener'], async () => {
    for (const role of roles) {
      await untilNotListening(role);
      expect(await probe(services[role], 'ready')).toMatchObject({
        status: 200,
        data: { status: 'ready', checks: { ...allUp, change_listener: 'down' } },
      });
    }
  });
});

describe('a service whose database lacks migrations', () => {
  let behind: TestDatabase;
  beforeEach(async () => (behind = await createDatabase()));
  afterEach(() => behind.drop());

  test.each(roles)('is starting in the role %s until the database is migrated', async (role) => {
    const removed = await behind.query<{ id: number; timestamp: string; name: string }>(
      'DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations) RETURNING *',
    );
    await withService({ ROLE: role }, behind, async (service) => {
      for (const path of ['startup', 'ready'])
        expect(await probe(service, path)).toMatchObject({
          status: 503,
          data: { status: 'starting', checks: { database: 'up', migrations: 'missing' } },
        });
      expect(service.logLines.filter((line) => line.includes(`lacks migrations: ${removed[0]!.name}`))).toHaveLength(1);
      expect((await probe(service, 'live')).status).toBe(200);
      const { id, timestamp, name } = removed[0]!;
      const values = [id, timestamp, name];
      await behind.query('INSERT INTO schema_migrations (id, timestamp, name) VALUES ($1, $2, $3)', values);
      // One probe updates the state of both.
      expect(await probe(service, role === 'all' ? 'startup' : 'ready')).toMatchObject({ status: 200 });
      for (const path of ['startup', 'ready']) expect((await probe(service, path)).status).toBe(200);
    });
  });

  test('is ready if the database has later migrations', async () => {
    await behind.query(
      "INSERT INTO schema_migrations (timestamp, name) VALUES (9999, 'of-the-next-release-0000000009999')",
    );
    await withService({}, behind, async (service) => {
      for (const path of ['startup', 'ready']) expect((await probe(service, path)).status).toBe(200);
    });
  });
});
