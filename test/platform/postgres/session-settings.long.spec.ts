import type { PoolConfig } from 'pg';
import { poolOptions } from '../../../src/platform/postgres/connection';
import { migrate } from '../../../src/platform/schema/migrations';
import { ResilientClient } from '../../../src/platform/postgres/resilient-client';
import { SessionClient } from '../../../src/platform/postgres/session-client';
import { unlimitedOptions } from '../../../src/regions/admin-connection';
import { aDynamicLink, anAndroidApp, anIosApp, aProject } from '../../support/builders';
import { createDatabase, type TestDatabase } from '../../support/database';
import { withService } from '../../support/service';

/** Settings that a database or a role may have, and those of the service's sessions. */
const settings = [
  ['DateStyle', 'German, DMY', 'ISO, MDY'],
  ['IntervalStyle', 'sql_standard', 'postgres'],
  ['TimeZone', 'Pacific/Chatham', 'UTC'],
  ['bytea_output', 'escape', 'hex'],
  ['extra_float_digits', '-15', '1'],
  ['standard_conforming_strings', 'off', 'on'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['default_transaction_deferrable', 'on', 'off'],
  ['idle_session_timeout', '20s', '0'],
  ['array_nulls', 'off', 'on'],
  ['quote_all_identifiers', 'on', 'off'],
  ['row_security', 'off', 'on'],
  ['transform_null_equals', 'on', 'off'],
  ['client_encoding', 'LATIN1', 'UTF8'],
] as const;

async function inheritAll(database: TestDatabase): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  for (const [setting, value] of settings) await database.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
}

test.each<[string, (config: PoolConfig) => SessionClient, (url: string) => PoolConfig]>([
  ['pools', (config) => new ResilientClient(config), (url) => poolOptions(url, { max: 1, name: 'spec' })],
  ['commands', (config) => new SessionClient(config), (url) => unlimitedOptions(url, 'spec')],
  [
    'replication',
    (config) => new SessionClient({ ...config, replication: 'database' } as PoolConfig),
    (url) => unlimitedOptions(url, 'spec'),
  ],
])('sessions of %s have the settings of the service, whatever the database has', async (_, open, options) => {
  const database = await createDatabase({ empty: true });
  await inheritAll(database);
  const client = open(options(database.url));
  await client.connect();
  const values: unknown[] = [];
  for (const [setting] of settings) {
    const { rows } = await client.query<{ value: string }>(`SELECT current_setting('${setting}') AS value`);
    values.push([setting, rows[0]!.value]);
  }
  await client.end();
  await database.drop();
  expect(values).toEqual(settings.map(([setting, , value]) => [setting, value]));
});

test('the service works on a database with other settings', async () => {
  const database = await createDatabase({ empty: true });
  await inheritAll(database);
  await migrate(database.url);
  await withService({}, database, async (on) => {
    const { key } = await on.anAccount();
    const project = await aProject(on, key);
    const ios = await anIosApp(on, key, project.id);
    await anAndroidApp(on, key, project.id, {});
    const link = await aDynamicLink(on, key, project.id, { custom_path: 'sale', desktop_url: 'https://example.com/' });
    expect(new Date(String(link.created_at)).toISOString()).toBe(link.created_at);
    expect((await on.visit(project.subdomain, '/sale')).headers['location']).toBe('https://example.com/');
    for (const path of ['', '/links', `/ios-apps/${ios.id}`, '/android-apps', '/analytics', '/clicks'])
      expect([path, (await on.api('get', `/projects/${project.id}${path}`, key)).status]).toEqual([path, 200]);
  });
  await database.drop();
});
