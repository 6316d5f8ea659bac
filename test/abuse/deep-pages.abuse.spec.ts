import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AttackedService, written } from '../support/victim';
import { fixture } from '../support/fixtures';

const rows = 40_000;
const pages = rows / 10;
const parallel = 60;
const burstEveryMs = 500;
const attackMs = 4000;

type Statuses = Record<string, number>;
const on = fixture(() => AttackedService.start());
const attacker = fixture(() => on.anAttacker());
beforeAll(async () => {
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, created_at)
     SELECT gen_random_uuid(), $1, 'Campaign ' || n, 'path-' || n, now() - n * interval '1 second' FROM generate_series(1, $2::int) n`,
    [attacker.project, rows],
  );
  await on.database.query(
    `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source, created_at)
     SELECT gen_random_uuid(), $1, (SELECT id FROM dynamic_links WHERE project_id = $1 LIMIT 1), 's' || n, 'api',
            now() - n * interval '1 second' FROM generate_series(1, $2::int) n`,
    [attacker.project, rows],
  );
  await on.database.query('VACUUM ANALYZE');
  // The code of a running service is compiled.
  await (
    await bursts(1000)
  )(() => 'short-links');
});

/** Starts a program whose connections are open, and returns what sends bursts of parallel requests until `milliseconds` are over. */
async function bursts(milliseconds: number): Promise<(path: (n: number) => string) => Promise<Statuses>> {
  const plan = [on.program.port, attacker.key, parallel, burstEveryMs, milliseconds].map(String);
  const program = spawn(process.execPath, [join(__dirname, '../support/burst.mjs'), ...plan], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  expect(await lines.next()).toMatchObject({ value: 'ready' });
  return async (path) => {
    program.stdin.end(
      Array.from({ length: 600 }, (_, n) => `/api/v1/projects/${attacker.project}/${path(n)}`).join('\n'),
    );
    const { value } = (await lines.next()) as { value: string };
    const { statuses, retryAfter } = JSON.parse(value) as { statuses: Statuses; retryAfter: string[] };
    expect(retryAfter).toEqual(statuses['429'] ? ['1'] : []);
    return statuses;
  };
}

test.each<[name: string, path: (n: number) => string]>([
  ['one deep page', () => 'short-links?page=3000'],
  ['a different deep page each time', (n) => `short-links?page=${1 + ((n * 7919) % pages)}`],
  ['a search that finds all links', (n) => `links?search=campaign&page=${1 + ((n * 7919) % pages)}&sortBy=updated_at`],
])('%s, sixty times in parallel, leaves other accounts unharmed', async (name, path) => {
  let attack: Awaited<ReturnType<typeof bursts>>;
  const deep = await on.victim.expectUnharmed(() => attack(path), {
    prepare: async () => void (attack = await bursts(attackMs)),
    isUnavailable: (statuses) => '503' in statuses,
  });
  console.info(`${name}: ${written(deep)}, attacker ${JSON.stringify(deep.attack)}`);
  expect(Object.keys(deep.attack).filter((status) => !['200', '429'].includes(status))).toEqual([]);
});
