import { aDynamicLink, aProject } from '../../support/builders';
import { createDatabase, type TestDatabase } from '../../support/database';
import { DatabaseProxy } from '../../support/database-proxy';
import { eventually } from '../../support/eventually';
import { sendRequest } from '../../support/raw-http';
import { aService, type TestService } from '../../support/service';
import { useProductionTimeLimits } from '../../support/time-limits';

beforeAll(useProductionTimeLimits);

jest.setTimeout(60_000);

/** Milliseconds: what the database gets, and what the machine may take on top. */
const inTime = 2000 + 500;

const roles = ['all', 'api', 'traffic'] as const;

let database: TestDatabase;
let proxy: DatabaseProxy;
let services: Record<(typeof roles)[number], TestService>;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.before(database.url);
  const behindProxy = { ...database, url: proxy.url };
  const [all, api, traffic] = await Promise.all([
    aService({}, behindProxy),
    aService({ ROLE: 'api' }, behindProxy),
    aService({ ROLE: 'traffic' }, behindProxy),
  ]);
  services = { all, api, traffic };
});
afterAll(async () => {
  await Promise.all(Object.values(services).map((service) => service.stop()));
  await proxy.close();
  await database.drop();
});

interface Asked {
  status: number;
  data: { status: string; checks?: Record<string, string> };
  took: number;
}

async function ask(of: TestService, path: string): Promise<Asked> {
  const startedAt = performance.now();
  const { status, body } = await sendRequest(of.url, `GET /health/${path}`);
  return { status, data: body['data'] as Asked['data'], took: performance.now() - startedAt };
}

const well = { database: 'up', migrations: 'done', announcements: 'up' };

const names = ['management API', 'announcements', 'link traffic', 'link traffic writes'].map(
  (one) => `signpost ${one}`,
);

/** A machine that is busy may have kept a process from hearing anything for a second. */
const allUp = () =>
  eventually(async () => {
    const answers = await Promise.all(roles.map((role) => ask(services[role], 'ready')));
    return answers.every(({ data }) => Object.values(data.checks!).every((check) => check !== 'down'));
  }, 10_000);

/** Connections to the database carry nothing, as long as `work` takes. */
async function withoutHearing(which: string[], work: () => Promise<void>): Promise<void> {
  which.forEach((name) => proxy.blackhole(name));
  try {
    await work();
  } finally {
    proxy.heal();
    await allUp();
  }
}

const withoutDatabase = (work: () => Promise<void>): Promise<void> => withoutHearing(names, work);

describe('while all is well', () => {
  beforeEach(() => allUp());

  test.each(roles)('role %s says so, by every name that a probe may use', async (role) => {
    const { url } = services[role];
    for (const host of ['localhost:3000', '10.42.0.17:3000', '[fd00::17]:3000', 'api.example.com']) {
      const answers = await Promise.all(
        ['live', 'startup', 'ready'].map((path) => sendRequest(url, `GET /health/${path}`, { Host: host })),
      );
      for (const { status, headers } of answers) expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
      expect(answers.map(({ body }) => body)).toEqual([
        { data: { status: 'live' } },
        { data: { status: 'started' } },
        { data: { status: 'ready', checks: { ...well, redis: 'unused' } } },
      ]);
    }
    const head = await sendRequest(url, 'HEAD /health/ready');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('link traffic is told apart, where there is any', async () => {
    for (const role of ['all', 'traffic'] as const)
      expect(await ask(services[role], 'ready/traffic')).toMatchObject({ status: 200, data: { status: 'ready' } });
    expect((await ask(services.api, 'ready/traffic')).status).toBe(404);
  });

  test('a crowd of probes costs the database one connection', async () => {
    const probes = Array.from({ length: 60 }, () => ask(services.traffic, 'ready'));
    expect((await Promise.all(probes)).filter(({ status }) => status !== 200)).toEqual([]);
    const connections = await database.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'signpost management API'",
    );
    // One for each of the three services, as none has answered anything but probes.
    expect(connections).toHaveLength(3);
  });
});

describe('while the database does not answer', () => {
  test('the API is not ready, link traffic is, and all have started', async () => {
    const { key } = await services.all.anAccount();
    const project = await aProject(services.all, key);
    await aDynamicLink(services.all, key, project.id, { custom_path: 'known', desktop_url: 'https://example.com/' });
    for (const role of ['all', 'traffic'] as const) await services[role].visit(project.subdomain, '/known').expect(302);
    await withoutDatabase(async () => {
      const down = { ...well, database: 'down', announcements: 'down' };
      await eventually(async () => (await ask(services.api, 'ready')).data.checks?.['announcements'] === 'down');
      const [all, api, traffic] = await Promise.all(roles.map((role) => ask(services[role], 'ready')));
      expect(all).toMatchObject({ status: 503, data: { status: 'unready', checks: { ...down, redis: 'unused' } } });
      expect(api).toMatchObject({ status: 503, data: { status: 'unready', checks: { ...down, redis: 'unused' } } });
      expect(traffic).toMatchObject({ status: 200, data: { status: 'ready', checks: { ...down, redis: 'unused' } } });
      expect(await ask(services.all, 'ready/traffic')).toMatchObject({ status: 200, data: { status: 'ready' } });
      for (const role of roles)
        for (const path of ['live', 'startup']) expect((await ask(services[role], path)).status).toBe(200);
      for (const role of ['all', 'traffic'] as const)
        await services[role].visit(project.subdomain, '/known').expect(302);
    });
    expect((await ask(services.api, 'ready')).status).toBe(200);
  });

  test('a crowd of probes is answered in time, and tells of it once', async () => {
    await withoutDatabase(async () => {
      const before = services.api.logLines.length;
      const answers = await Promise.all(Array.from({ length: 24 }, () => ask(services.api, 'ready')));
      answers.push(await ask(services.api, 'ready'));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(inTime);
      const said = services.api.logLines.slice(before).filter((line) => line.includes('cannot be asked'));
      expect(said).toHaveLength(1);
    });
  });
});

test('announcements that are not heard make nobody unready', async () => {
  await withoutHearing(['signpost announcements'], async () => {
    for (const role of roles) {
      await eventually(async () => (await ask(services[role], 'ready')).data.checks?.['announcements'] === 'down');
      expect(await ask(services[role], 'ready')).toMatchObject({
        status: 200,
        data: { status: 'ready', checks: { ...well, announcements: 'down' } },
      });
    }
  });
});

describe('a process whose schema is older than itself', () => {
  let behind: TestDatabase;
  beforeEach(async () => {
    behind = await createDatabase();
  });
  afterEach(() => behind.drop());

  test.each(roles)('in role %s has not started, and is not ready, until it is migrated', async (role) => {
    const taken = await behind.query<{ id: number; timestamp: string; name: string }>(
      'DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations) RETURNING *',
    );
    const service = await aService({ ROLE: role }, behind);
    try {
      for (const path of ['startup', 'ready'])
        expect(await ask(service, path)).toMatchObject({
          status: 503,
          data: { status: 'starting', checks: { database: 'up', migrations: 'missing' } },
        });
      expect(service.logLines.filter((line) => line.includes(`lacks migrations: ${taken[0]!.name}`))).toHaveLength(1);
      expect((await ask(service, 'live')).status).toBe(200);
      await behind.query('INSERT INTO schema_migrations (id, timestamp, name) VALUES ($1, $2, $3)', [
        taken[0]!.id,
        taken[0]!.timestamp,
        taken[0]!.name,
      ]);
      // Either of them will do for both.
      expect(await ask(service, role === 'all' ? 'startup' : 'ready')).toMatchObject({ status: 200 });
      for (const path of ['startup', 'ready']) expect((await ask(service, path)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  test('has no schema at all', async () => {
    const empty = await createDatabase({ empty: true });
    const service = await aService({}, empty);
    try {
      expect(await ask(service, 'startup')).toMatchObject({ status: 503, data: { checks: { migrations: 'missing' } } });
    } finally {
      await service.stop();
      await empty.drop();
    }
  });

  test('and one that is newer is as good', async () => {
    await behind.query(
      "INSERT INTO schema_migrations (timestamp, name) VALUES (9999, 'of-the-next-release-0000000009999')",
    );
    const service = await aService({}, behind);
    try {
      expect((await ask(service, 'startup')).status).toBe(200);
      expect((await ask(service, 'ready')).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});
