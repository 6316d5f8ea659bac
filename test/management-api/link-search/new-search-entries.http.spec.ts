import { Client } from 'pg';
import { NewSearchEntries } from '../../../src/management-api/link-search/new-search-entries';
import { NewSearchEntriesUpkeep } from '../../../src/management-api/link-search/new-search-entries-upkeep';
import { PgNewSearchEntries } from '../../../src/management-api/link-search/pg-new-search-entries';
import { aDynamicLink, aProject } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
let account: TestAccount;
let projectId: string;
let other: Client;

const entries = (): NewSearchEntries => on.service.app.get(NewSearchEntries, { strict: false });
const upkeep = (): NewSearchEntriesUpkeep => on.service.app.get(NewSearchEntriesUpkeep, { strict: false });

beforeAll(async () => {
  on = await aService();
  await on.database.query('CREATE EXTENSION pgstattuple');
  // Autovacuum moves entries too.
  await on.database.query('ALTER TABLE dynamic_links SET (autovacuum_enabled = false)');
  account = await on.anAccount('enterprise');
  projectId = (await aProject(on, account.key)).id;
});
afterAll(() => on.stop());

beforeEach(async () => {
  other = new Client({ connectionString: on.database.url });
  await other.connect();
});
afterEach(() => other.end());

/** As another process that moves entries. */
const lock = () => other.query('SELECT pg_advisory_lock(1668049251, 8)');
const unlock = () => other.query('SELECT pg_advisory_unlock(1668049251, 8)');

/** Returns the pages of 8 kB that the list of new entries has. */
async function waiting(): Promise<number> {
  const [row] = await on.database.query<{ pages: number }>(
    "SELECT pending_pages AS pages FROM pgstatginindex('dynamic_links_search')",
  );
  return row!.pages;
}

const insert = (links: number) =>
  on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path)
     SELECT gen_random_uuid(), $1, 'Été ' || md5(n::text), 'p-' || gen_random_uuid() FROM generate_series(1, $2::int) n`,
    [projectId, links],
  );

test('a link is found at once, and its entries are moved within seconds', async () => {
  const found = async () => (await on.api('get', `/projects/${projectId}/links?search=zugspitze`, account.key)).body;
  await lock();
  const { id } = await aDynamicLink(on, account.key, projectId, { name: 'Zugspitze' });
  expect(await waiting()).toBeGreaterThan(0);
  expect(await found()).toMatchObject({ data: [{ id }] });
  await unlock();
  await eventually(async () => (await waiting()) === 0);
  expect(await found()).toMatchObject({ data: [{ id }] });
});

test('insertions of far more than 64 kB leave their entries to the background', async () => {
  await lock();
  await upkeep().sweep();
  const before = await waiting();
  await insert(2000);
  expect((await waiting()) - before).toBeGreaterThan(50);
  await unlock();
  // A sweep that began before the lock was released moves nothing.
  await upkeep().sweep();
  await upkeep().sweep();
  expect(await waiting()).toBe(0);
});

test('a move that meets a locked index is no error', async () => {
  await other.query('BEGIN; REINDEX INDEX dynamic_links_search');
  await entries().move();
  await other.query('ROLLBACK');
});

test('a user who owns no table can move entries', async () => {
  const user = `mover_${process.pid}`;
  await on.database.query(`CREATE ROLE ${user}`);
  const moved = new PgNewSearchEntries({ query: (query: never) => other.query(query) } as never);
  try {
    await other.query(`SET ROLE ${user}`);
    await expect(moved.move()).rejects.toMatchObject({ code: '42501' });
    await other.query('RESET ROLE');
    await other.query(`GRANT EXECUTE ON FUNCTION move_search_entries TO ${user}`);
    // Only this session moves entries, because the lock is its own.
    await lock();
    await insert(10);
    expect(await waiting()).toBeGreaterThan(0);
    await other.query(`SET ROLE ${user}`);
    await moved.move();
    expect(await waiting()).toBe(0);
  } finally {
    await other.query('RESET ROLE');
    await other.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
  }
});
