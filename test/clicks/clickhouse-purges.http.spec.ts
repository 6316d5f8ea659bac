import { PgClickHousePurges } from '../../src/clicks/pg-clickhouse-purges';
import { newId } from '../../src/shared/id';
import { TwoDatabases } from '../support/two-databases';

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
