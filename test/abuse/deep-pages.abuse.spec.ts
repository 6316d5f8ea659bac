import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createDatabase, type TestDatabase } from '../support/database';
import { endAllPrograms, Program } from '../support/process';
import { createWhenAvailable } from '../support/repeated-rounds';
import { useProductionTimeLimitsInPrograms } from '../support/time-limits';
import { aStoredKey, type StoredKey } from '../support/stored-key';
import {
  chartMemoryMb,
  type Experience,
  hasUnavailable,
  podEnvironment,
  quietMs,
  slowdown,
  Victim,
  written,
} from '../support/victim';

beforeAll(useProductionTimeLimitsInPrograms);

const rows = 40_000;
const pages = rows / 10;
const parallel = 60;
const burstEveryMs = 500;
const attackMs = 4000;
const maxRounds = 10;

let database: TestDatabase;
let service: Program;
let victim: Victim;
let attacker: StoredKey;
let projectId: string;
beforeAll(async () => {
  database = await createDatabase();
  service = await Program.serving({ DATABASE_URL: database.url, ...podEnvironment });
  victim = await Victim.of(service, database);
  attacker = await aStoredKey(database);
  const body = { name: 'Attacker', subdomain: 'attacker' };
  projectId = (await createWhenAvailable(service, '/api/v1/projects', attacker.key, body)).id;
  await database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, created_at)
     SELECT gen_random_uuid(), $1, 'Campaign ' || n, 'path-' || n, now() - n * interval '1 second' FROM generate_series(1, $2::int) n`,
    [projectId, rows],
  );
  await database.query(
    `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source, created_at)
     SELECT gen_random_uuid(), $1, (SELECT id FROM dynamic_links WHERE project_id = $1 LIMIT 1), 's' || n, 'api',
            now() - n * interval '1 second' FROM generate_series(1, $2::int) n`,
    [projectId, rows],
  );
  await database.query('VACUUM ANALYZE');
  // The code of a running service is compiled.
  await (
    await anAttacker(1000)
  )(() => 'short-links');
});
afterAll(async () => {
  await endAllPrograms();
  await database.drop();
});

/** Starts a program whose connections are open, and returns what sends bursts of parallel requests until `milliseconds` are over. */
async function anAttacker(milliseconds: number): Promise<(path: (n: number) => string) => Promise<Statuses>> {
  const plan = [service.port, attacker.key, parallel, burstEveryMs, milliseconds].map(String);
  const program = spawn(process.execPath, [join(__dirname, '../support/burst.mjs'), ...plan], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  expect(await lines.next()).toMatchObject({ value: 'ready' });
  return async (path) => {
    program.stdin.end(Array.from({ length: 600 }, (_, n) => `/api/v1/projects/${projectId}/${path(n)}`).join('\n'));
    const { value } = (await lines.next()) as { value: string };
    const { statuses, retryAfter } = JSON.parse(value) as { statuses: Statuses; retryAfter: string[] };
    expect(retryAfter).toEqual(statuses['429'] ? ['1'] : []);
    return statuses;
  };
}

/** Measures the others while bursts request the paths. */
async function experienceOf(path: (n: number) => string) {
  const attack = await anAttacker(attackMs);
  return victim.experienceDuring(attack(path), 0);
}

/** Measures the others without requests of the attacker. */
async function quietExperience(): Promise<Experience> {
  const quiet = await victim.experienceDuring(Promise.resolve(), quietMs);
  console.info(`quiet: ${written(quiet)}`);
  return quiet;
}

type Statuses = Record<string, number>;

const failures = ({ link, api }: Experience): string[] =>
  [...Object.keys(link.statuses), ...Object.keys(api.statuses)].filter(
    (status) => (Number(status) >= 500 && status !== '503') || status === '0',
  );

test.each<[name: string, path: (n: number) => string]>([
  ['one deep page', () => 'short-links?page=3000'],
  ['a different deep page each time', (n) => `short-links?page=${1 + ((n * 7919) % pages)}`],
  ['a search that finds all links', (n) => `links?search=campaign&page=${1 + ((n * 7919) % pages)}&sortBy=updated_at`],
])('%s, sixty times in parallel, leaves other accounts unharmed', async (name, path) => {
  const slowdowns: number[] = [];
  // Further rounds run only if others are too slow or a request got 503, because the machine may be busy with other work. The best one
  // decides.
  while (slowdowns.length === 0 || (Math.min(...slowdowns) >= 1 && slowdowns.length < maxRounds)) {
    const deep = await experienceOf(path);
    console.info(
      `${name}: ${written(deep)}, others ${JSON.stringify(deep.api.statuses)}, attacker ${JSON.stringify(deep.attack)}`,
    );
    expect(failures(deep)).toEqual([]);
    expect(deep.maxMemoryMb).toBeLessThan(chartMemoryMb);
    expect(Object.keys(deep.attack).filter((status) => !['200', '429', '503'].includes(status))).toEqual([]);
    if (hasUnavailable(deep) || '503' in deep.attack) slowdowns.push(Infinity);
    else slowdowns.push(slowdown(deep) < 1 ? slowdown(deep) : slowdown(deep, await quietExperience()));
  }
  expect(Math.min(...slowdowns)).toBeLessThan(1);
});
