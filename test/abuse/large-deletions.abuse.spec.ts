import { createDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/eventually';
import { endAllPrograms, Program } from '../support/process';
import { createWhenAvailable } from '../support/repeated-rounds';
import { useProductionTimeLimitsInPrograms } from '../support/time-limits';
import { aStoredKey, type StoredKey } from '../support/stored-key';
import { podEnvironment, Victim, written } from '../support/victim';

beforeAll(useProductionTimeLimitsInPrograms);

/** Far more than one statement can delete within its time limit. */
const shortLinks = 100_000;

let database: TestDatabase;
let service: Program;
let victim: Victim;
let attacker: StoredKey;

beforeAll(async () => {
  database = await createDatabase();
  service = await Program.serving({ DATABASE_URL: database.url, ...podEnvironment });
  victim = await Victim.of(service, database);
  attacker = await aStoredKey(database);
});
afterAll(async () => {
  await endAllPrograms();
  await database.drop();
});

const create = async (path: string, body: object): Promise<string> =>
  (await createWhenAvailable(service, path, attacker.key, body)).id;

test(`the deletion of a link with ${shortLinks} short links answers, and other accounts notice nothing`, async () => {
  let rounds = 0;
  let project: string;
  let link: string;
  const prepare = async () => {
    project = await create('/api/v1/projects', { name: 'Large', subdomain: `large-${++rounds}` });
    link = await create(`/api/v1/projects/${project}/links`, { name: 'Large' });
    await database.query(
      `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source)
       SELECT gen_random_uuid(), $1, $2, 'slug' || n, 'api' FROM generate_series(1, $3) n`,
      [project, link, shortLinks],
    );
    await database.query('VACUUM ANALYZE short_links');
  };
  const remaining = async () =>
    (
      await database.query<{ count: number }>('SELECT count(*)::int AS count FROM short_links WHERE project_id = $1', [
        project,
      ])
    )[0]!.count;
  const deletion = async () => {
    const startedAt = performance.now();
    const path = `/api/v1/projects/${project}/links/${link}`;
    const { status, took } = await service.ask(path, { method: 'DELETE', key: attacker.key });
    if (status === 200) await until(async () => (await remaining()) === 0);
    return { status, took, purgedAfterMs: Math.round(performance.now() - startedAt) };
  };
  const loud = await victim.expectUnharmed(deletion, {
    minMs: 3000,
    prepare,
    isUnavailable: ({ status }) => status === 503,
  });
  const { status, took, purgedAfterMs } = loud.attack;
  console.info(
    `large deletion: answered ${status} after ${Math.round(took)} ms, purged after ${purgedAfterMs} ms; ${written(loud)}`,
  );
  expect(status).toBe(200);
});
