import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AdminConnection } from '../../src/regions/admin-connection';
import {
  checkSubscriptionUrl,
  dropSubscription,
  renewSubscription,
  replaceSubscription,
} from '../../src/regions/subscription';
import { Cluster } from '../support/cluster';
import { fixture } from '../support/fixtures';

/** Nobody listens there, so that a subscription fails at its creation. */
const urlWith = (password: string): string => `postgres://signpost:${password}@127.0.0.1:1/signpost`;
const cluster = fixture(() => Cluster.create({ log_statement: 'all', log_min_duration_statement: '0' }));
beforeAll(async () => {
  await cluster.query(`
    CREATE ROLE operator LOGIN IN ROLE pg_create_subscription;
    GRANT CREATE ON DATABASE postgres TO operator;
    CREATE SUBSCRIPTION signpost_region CONNECTION 'host=127.0.0.1' PUBLICATION signpost_regions WITH (connect = false)`);
});

const log = (): string => readFileSync(join(cluster.dataDir, 'postgres.log'), 'utf8');

async function asRole(url: string, work: (region: AdminConnection) => Promise<unknown>): Promise<string> {
  const region = await AdminConnection.open('region', url);
  try {
    await work(region);
    return 'done';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await region.end();
  }
}

/** Subscribes in a transaction, as a rebuild does. */
async function subscribe(region: AdminConnection, url: string): Promise<void> {
  await region.query('BEGIN');
  await replaceSubscription(region, 'eu', url, false);
}

const settings = (region: AdminConnection) =>
  region.query(
    "SELECT current_setting('log_statement') AS statement, current_setting('log_min_error_statement') AS error",
  );

test('no statement with the password of the primary is in the log of the region', async () => {
  const renewed = await asRole(cluster.url, (region) => renewSubscription(region, urlWith('renewed-secret')));
  expect(renewed).toMatch(/^The region: .*(?:slot|publication|connect)/);
  const checked = await asRole(cluster.url, async (region) => {
    try {
      await checkSubscriptionUrl(region, urlWith('checked-secret'), []);
    } finally {
      expect(await settings(region)).toEqual([{ statement: 'all', error: 'error' }]);
    }
  });
  expect(checked).toMatch(/^The region: .*could not connect to the publisher/);
  const created = await asRole(cluster.url, async (region) => {
    await dropSubscription(region);
    await subscribe(region, urlWith('created-secret'));
  });
  expect(created).toMatch(/^The region: .*could not connect to the publisher/);
  expect(log()).toContain('DROP SUBSCRIPTION');
  expect(log()).not.toMatch(/renewed-secret|checked-secret|created-secret/);
});

test('a role that may not change what is logged can subscribe', async () => {
  const url = cluster.urlOf('postgres', { name: 'operator', password: 'any' });
  expect(await asRole(url, (region) => subscribe(region, urlWith('other-secret')))).toMatch(
    /could not connect to the publisher/,
  );
});
