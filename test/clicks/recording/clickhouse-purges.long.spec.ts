import { PgClickHousePurges } from '../../../src/clicks/recording/pg-clickhouse-purges';
import { newId } from '../../../src/shared/id';
import { TwoDatabases } from '../../support/two-databases';

/** Whether a claim returns a project, and whether its clicks can still arrive. */
type Claimed = 'no' | 'again later' | 'for the last time';

let on: TwoDatabases;
beforeAll(async () => {
  on = await TwoDatabases.create();
});
afterAll(() => on.drop());

test('a project that is not deleted is never claimed, and leaves the list', async () => {
  const [live, deleted, unknown] = [on.projectId, newId(), newId()];
  await on.region.query(
    `INSERT INTO projects (id, account_id, user_id, name, subdomain, deleted_at)
     SELECT $1, account_id, user_id, 'Q', 'gone', now() FROM projects`,
    [deleted],
  );
  await on.region.query('DELETE FROM clickhouse_purges');
  await on.region.query('INSERT INTO clickhouse_purges (project_id) SELECT unnest($1::uuid[])', [
    [live, deleted, unknown],
  ]);
  const claimed = await new PgClickHousePurges(on.pools.region).claim();
  expect(claimed.map(({ projectId }) => projectId).sort()).toEqual([deleted, unknown].sort());
  const left = await on.region.query<{ id: string }>('SELECT project_id AS id FROM clickhouse_purges ORDER BY 1');
  expect(left.map(({ id }) => id)).toEqual([deleted, unknown].sort());
});

test.each<[deleted: string, checked: string | null, claimed: Claimed]>([
  ['1 minute', null, 'again later'],
  ['30 minutes', '9 minutes', 'no'],
  ['30 minutes', '11 minutes', 'again later'],
  // A process that was cut off from ClickHouse for hours may write its clicks now.
  ['2 hours', '11 minutes', 'no'],
  ['3 hours', null, 'again later'],
  ['2 days', '25 hours', 'again later'],
  ['6 days', '23 hours', 'no'],
  ['6 days', '25 hours', 'again later'],
  ['8 days', '23 hours', 'no'],
  ['8 days', '25 hours', 'for the last time'],
])('a project deleted %s ago, and looked for %s ago, is claimed: %s', async (deleted, checked, expected) => {
  const projectId = newId();
  await on.region.query('DELETE FROM clickhouse_purges');
  await on.region.query(
    'INSERT INTO clickhouse_purges (project_id, deleted_at, checked_at) VALUES ($1, now() - $2::interval, now() - $3::interval)',
    [projectId, deleted, checked],
  );
  const claimed = await new PgClickHousePurges(on.pools.region).claim();
  const isSettled = { no: null, 'again later': false, 'for the last time': true }[expected];
  expect(claimed).toEqual(isSettled === null ? [] : [{ projectId, isSettled }]);
});
