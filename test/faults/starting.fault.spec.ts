import { Cluster } from '../support/cluster';
import { createDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/eventually';
import { endAllPrograms, Program } from '../support/process';

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase({ empty: true });
});

afterEach(async () => {
  await endAllPrograms();
  await database.drop();
});

/** Returns the start of each statement that waits for a lock. Other statements of a transaction would return the same view. */
async function waitingForLocks(): Promise<{ attempt: string }[]> {
  await database.query('SELECT pg_stat_clear_snapshot()');
  return database.query(
    `SELECT query_start::text AS attempt FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
}

const isReady = async (service: Program): Promise<boolean> => (await service.ask('/health/ready')).status === 200;

describe('migrations', () => {
  it('wait for a lock of another session, and then run', async () => {
    // An uncommitted table of the same name makes CREATE TABLE wait for the end of that transaction.
    await database.query('BEGIN');
    await database.query('CREATE TABLE accounts (id int)');
    const migrating = new Program('migrate', { DATABASE_URL: database.url });
    // Each attempt waits a second for the lock. The second one shows that the program tries again.
    const attempts = new Set<string>();
    await until(async () => {
      for (const { attempt } of await waitingForLocks()) attempts.add(attempt);
      return attempts.size > 1;
    });
    expect([migrating.running, migrating.stderr]).toEqual([true, '']);
    await database.query('ROLLBACK');
    expect(await migrating.exit).toEqual({ code: 0, signal: null });
    expect(migrating.stdout).toMatch(/^migrated change-notifications/);
  });
});

/** Runs a test with a separate server. */
async function withCluster(use: (cluster: Cluster) => Promise<void>): Promise<void> {
  const cluster = await Cluster.create();
  try {
    await use(cluster);
  } finally {
    await endAllPrograms();
    await cluster.remove();
  }
}

describe('a start', () => {
  it('waits for the database', () =>
    withCluster(async (cluster) => {
      const { url } = cluster;
      await cluster.stop();
      const service = new Program('main', { DATABASE_URL: url });
      await until(() => service.stdout.includes('waiting for the database'));
      expect([service.running, service.stderr]).toEqual([true, '']);
      await cluster.start();
      await service.listening();
      expect(await isReady(service)).toBe(true);
    }));

  it.each([
    ['a database that does not exist', { pathname: '/nowhere' }, /database "nowhere" does not exist/],
    ['a user that does not exist', { username: 'stranger' }, /role "stranger" does not exist/],
  ])('fails immediately for %s', async (_, changes, message) => {
    await expectRefused(Object.assign(new URL(database.url), changes).href, message);
  });

  it('fails immediately for a wrong password', () =>
    withCluster(async (cluster) => {
      await cluster.requirePassword('locked', 'right');
      const urlWith = (password: string) => cluster.urlOf('postgres', { name: 'locked', password });
      const secret = 'wrong-but-secret';
      expect(await expectRefused(urlWith(secret), /password authentication failed/)).not.toContain(secret);
      expect(await isReady(await Program.serving({ DATABASE_URL: urlWith('right') }))).toBe(true);
    }));
});

async function expectRefused(url: string, message: RegExp): Promise<string> {
  const program = new Program('main', { DATABASE_URL: url });
  expect(await program.exit).toEqual({ code: 1, signal: null });
  expect(program.stderr).toMatch(/^[^\n]*DATABASE_URL: [^\n]*\n$/);
  expect(program.stderr).toMatch(message);
  expect(program.stdout).not.toContain('waiting for the database');
  return program.stdout + program.stderr;
}
