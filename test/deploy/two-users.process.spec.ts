import { createDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/eventually';
import { readPage } from '../support/pages';
import { anAccountByShell, endAllPrograms, Program } from '../support/process';

const user = `signpost_service_${process.pid}`;

/** The statements that the page tells the owner to run, for the user of this test. */
const [grants] = /^GRANT SELECT, INSERT[^`]*/m.exec(readPage('docs/operating/postgresql.md'))!;

let database: TestDatabase;
let environment: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
  await database.query(`CREATE ROLE ${user} LOGIN PASSWORD 'of-the-service'`);
  await database.query(grants.replaceAll('signpost_service', user));
  const url = new URL(database.url);
  Object.assign(url, { username: user, password: 'of-the-service' });
  environment = { DATABASE_URL: url.href, MIGRATE_ON_START: 'false' };
});
afterAll(async () => {
  await endAllPrograms();
  await database.query(`DROP OWNED BY ${user} CASCADE`);
  await database.query(`DROP ROLE ${user}`);
  await database.drop();
});

/** Returns the number of tables with data of imports. */
async function importTables(): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    "SELECT count(*)::int FROM pg_tables WHERE schemaname = 'import_data'",
  );
  return row!.count;
}

test('a user with the documented rights, who owns no table, imports a file and purges it', async () => {
  const service = await Program.serving(environment);
  const { key } = (await anAccountByShell(environment)).api_key;
  const ask = async (method: string, path: string, body?: object) =>
    (await service.ask(`/api/v1/projects${path}`, { method, key, ...(body && { body }) })).json.data;
  const project = await ask('POST', '', { name: 'Imported', subdomain: 'imported' });
  const imports = `/${String(project['id'])}/imports`;
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1/projects${imports}?source=csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: 'name,custom_path,desktop_url\nSale,sale,https://example.com/\n',
  });
  expect(answer.status).toBe(202);
  const { id } = ((await answer.json()) as { data: { id: string } }).data;
  const stateIs = (state: string) => until(async () => (await ask('GET', `${imports}/${id}`))['state'] === state);
  await stateIs('ready');
  expect(await importTables()).toBe(2);
  await ask('POST', `${imports}/${id}/run`);
  await stateIs('completed');
  expect(await ask('GET', `${imports}/${id}`)).toMatchObject({ counts: { created: 1 } });
  await service.ask(`/api/v1/projects${imports}/${id}`, { method: 'DELETE', key });
  await until(async () => (await importTables()) === 0);
  expect(service.logLines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
});
