import { createDatabase, type TestDatabase } from '../../support/database';

const account = '0198c0de-7e57-7000-8000-0000000000a1';
const other = '0198c0de-7e57-7000-8000-0000000000a2';
const idOf = (number: number): string => `0198c0de-7e57-7000-8000-00000000000${number}`;

/** Writes as a program does that knows the table of projects only. */
const insert = (id: number, subdomain: string, accountId = account, deletedAt: string | null = null): string =>
  `INSERT INTO projects (id, account_id, user_id, name, subdomain, deleted_at)
   VALUES ('${idOf(id)}', '${accountId}', '${accountId}', 'P', '${subdomain}', ${deletedAt === null ? 'NULL' : `'${deletedAt}'`})`;
const rename = (id: number, subdomain: string): string =>
  `UPDATE projects SET subdomain = '${subdomain}', updated_at = now() WHERE id = '${idOf(id)}'`;
const remove = (id: number): string => `UPDATE projects SET deleted_at = now() WHERE id = '${idOf(id)}'`;

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
  for (const id of [account, other])
    await database.query(
      `INSERT INTO accounts (id, name, plan) VALUES ('${id}', 'A', 'pro');
       INSERT INTO users (id, account_id) VALUES ('${id}', '${id}')`,
    );
});
afterEach(() => database.drop());

const names = () =>
  database.query(
    `SELECT name, right(project_id::text, 1) AS project, right(account_id::text, 2) AS account, left_at IS NOT NULL AS was_left
     FROM subdomains ORDER BY name`,
  );
const row = (name: string, project: number | null, whose: 'a1' | 'a2', left = false) => ({
  name,
  project: project === null ? null : String(project),
  account: whose,
  was_left: left,
});

/** Returns the violated constraint. */
const refusalOf = (sql: string): Promise<unknown> =>
  database.query(sql).then(
    () => null,
    (error: { constraint?: string }) => error.constraint,
  );

test('triggers copy the names of projects, and refuse duplicates by the constraint', async () => {
  await database.query(insert(1, 'one'));
  await database.query(rename(1, 'uno'));
  await database.query(insert(2, 'two', other));
  await database.query(remove(2));
  await database.query(insert(3, 'three', other));
  expect(await names()).toEqual([
    row('one', 1, 'a1', true),
    row('three', 3, 'a2'),
    row('two', null, 'a2', true),
    row('uno', 1, 'a1'),
  ]);
  for (const sql of [insert(4, 'one', other), insert(4, 'one'), insert(4, 'two'), insert(4, 'uno'), rename(3, 'one')])
    expect([sql, await refusalOf(sql)]).toEqual([sql, 'projects_subdomain_unique']);
  await database.query(insert(5, 'two', other));
  await database.query(rename(1, 'one'));
  expect(await names()).toEqual([
    row('one', 1, 'a1'),
    row('three', 3, 'a2'),
    row('two', 5, 'a2'),
    row('uno', 1, 'a1', true),
  ]);
});

test('a project may be purged or restored by SQL', async () => {
  await database.query(insert(1, 'one'));
  await database.query(insert(2, 'two'));
  await database.query(remove(2));
  await database.query(`UPDATE projects SET deleted_at = NULL WHERE id = '${idOf(2)}'`);
  await database.query(`DELETE FROM projects WHERE id = '${idOf(1)}'`);
  expect(await names()).toEqual([row('one', null, 'a1', true), row('two', 2, 'a1')]);
});
