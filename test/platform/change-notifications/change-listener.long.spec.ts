import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeListener, type Changes } from '../../../src/platform/change-notifications/change-listener';
import { createDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { useProductionHeartbeats } from '../../support/time-limits';

const id = (n: number): string => `0198c0de-7e57-7000-8000-${String(n).padStart(12, '0')}`;
const [account, user, key, project, ios, android, link, short] = Array.from({ length: 8 }, (_, at) => id(at + 1));
const bench = id(90);

let database: TestDatabase;
let changeListener: ChangeListener;
let received: Changes[];
let lost: number;
beforeEach(async () => {
  database = await createDatabase();
  await database.query(`
    INSERT INTO accounts (id, name, plan) VALUES ('${account}', 'A', 'pro');
    INSERT INTO users (id, account_id) VALUES ('${user}', '${account}');
    INSERT INTO api_keys (id, account_id, user_id, name, prefix, digest) VALUES ('${key}', '${account}', '${user}', 'K', 'p', '\\x01');
    INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES ('${project}', '${account}', '${user}', 'P', 'summer'),
      ('${bench}', '${account}', '${user}', 'Q', 'winter');
    INSERT INTO ios_apps (id, project_id, name, bundle_id, team_id) VALUES ('${ios}', '${project}', 'I', 'com.a', 'ABCDE12345');
    INSERT INTO android_apps (id, project_id, name, package_name, sha_fingerprints) VALUES ('${android}', '${project}', 'A', 'com.a', '{}');
    INSERT INTO dynamic_links (id, project_id, name, custom_path) VALUES ('${link}', '${project}', 'L', 'sale');
    INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source) VALUES ('${short}', '${project}', '${link}', 'abc', 'api');`);
  changeListener = new ChangeListener(database.url, () => {});
  received = [];
  lost = 0;
  changeListener.onChanges((changes) => received.push(changes));
  await changeListener.start();
  changeListener.onLost(() => lost++);
});
afterEach(async () => {
  await changeListener.stop();
  await database.drop();
});

/** Returns the merged notifications of a statement, up to that of the marker. */
async function changesBy(sql: string): Promise<Record<string, string[]>> {
  await database.query(sql);
  await database.query(`SELECT announce('markers', '{done}')`);
  await eventually(() => received.some((changes) => 'markers' in changes));
  const all: Record<string, string[]> = {};
  for (const changes of received)
    for (const [kind, names] of Object.entries(changes))
      all[kind] = [...(all[kind] ?? []), ...(names as string[])].sort();
  delete all['markers'];
  return all;
}

test.each<[string, string, Record<string, string[]>]>([
  ["a link's destination", `UPDATE dynamic_links SET desktop_url = 'https://e.com/'`, { links: [link!] }],
  ["a link's path", `UPDATE dynamic_links SET custom_path = 'new'`, { links: [link!], paths: [`${project}/sale`] }],
  ['a deleted link', `DELETE FROM dynamic_links`, { links: [link!], paths: [`${project}/abc`, `${project}/sale`] }],
  ['a deleted short link', `DELETE FROM short_links`, { paths: [`${project}/abc`] }],
  ['a path moved by hand', `UPDATE link_paths SET path = 'x' WHERE path = 'abc'`, { paths: [`${project}/abc`] }],
  ['a renamed host', `UPDATE projects SET subdomain = 'autumn' WHERE id = '${project}'`, { projects: [project!] }],
  ["a project's display name", `UPDATE projects SET name = 'Other'`, {}],
  ['a deleted project', `UPDATE projects SET deleted_at = now() WHERE id = '${project}'`, { projects: [project!] }],
  ['a project removed by hand', `DELETE FROM projects WHERE id = '${project}'`, { projects: [project!] }],
  [
    'the purge of a deleted project',
    `UPDATE projects SET deleted_at = now() WHERE id = '${project}'; SELECT purge_deleted_project('${project}', 10);
     SELECT purge_deleted_project('${project}', 10)`,
    { projects: [project!] },
  ],
  [
    'a new app',
    `INSERT INTO ios_apps (id, project_id, name, bundle_id, team_id) VALUES ('${id(50)}', '${project}', 'I', 'com.b', 'ABCDE12345')`,
    { projects: [project!] },
  ],
  ['an iOS app', `UPDATE ios_apps SET appstore_id = '1'`, { projects: [project!] }],
  ['a deleted iOS app', `DELETE FROM ios_apps`, { projects: [project!] }],
  ['an Android app', `UPDATE android_apps SET sha_fingerprints = '{AA}'`, { projects: [project!] }],
  ['a deleted Android app', `DELETE FROM android_apps`, { projects: [project!] }],
  ['a revoked key', `UPDATE api_keys SET revoked_at = now()`, { keys: [key!] }],
  ['the last use of a key', `UPDATE api_keys SET last_used_at = now()`, {}],
  ['a removed key', `DELETE FROM api_keys`, { keys: [key!] }],
  ['a plan', `UPDATE accounts SET plan = 'free'`, { accounts: [account!] }],
  ["an account's name", `UPDATE accounts SET name = 'Other'`, {}],
  [
    'new links',
    `INSERT INTO dynamic_links (id, project_id, name, custom_path) VALUES ('${id(60)}', '${project}', 'L', 'other')`,
    {},
  ],
  ['a rolled-back change', `BEGIN; UPDATE dynamic_links SET desktop_url = 'x'; ROLLBACK`, {}],
])('%s sends the expected notification', async (_, sql, changes) => {
  expect(await changesBy(sql)).toEqual(changes);
  expect(lost).toBe(0);
});

test.each([
  [
    'a change of thousands of links',
    `INSERT INTO dynamic_links (id, project_id, name, custom_path)
     SELECT gen_random_uuid(), '${project}', 'L', 'l-' || n FROM generate_series(1, 8000) n; UPDATE dynamic_links SET desktop_url = 'x'`,
  ],
  ['a truncated table', 'TRUNCATE link_paths'],
  ['an unknown payload', `SELECT pg_notify('signpost_changes', 'of a newer release')`],
])('%s ends the epoch', async (_, sql) => {
  const { epoch } = changeListener;
  await database.query(sql);
  await eventually(() => changeListener.epoch > epoch && changeListener.current);
  expect(lost).toBeGreaterThan(0);
});

test('a connection that is cut ends the epoch, and another one takes over', async () => {
  const { epoch } = changeListener;
  expect(changeListener.current).toBe(true);
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'signpost change listener' AND datname = current_database()`,
  );
  await eventually(() => changeListener.epoch > epoch && changeListener.current);
  expect(await changesBy(`UPDATE dynamic_links SET desktop_url = 'x'`)).toEqual({ links: [link] });
});

test('it remains current while nothing changes', async () => {
  useProductionHeartbeats();
  await changeListener.stop();
  changeListener = new ChangeListener(database.url, () => {});
  await changeListener.start();
  const looks = async () => {
    const { epoch } = changeListener;
    for (let look = 0; look < 15; look++) {
      await sleep(100);
      if (!changeListener.current || changeListener.epoch !== epoch) return false;
    }
    return true;
  };
  // A busy machine may be late once. Without heartbeats it is not current for longer than 850 ms.
  await eventually(looks);
});
