import { AdminConnection } from '../../src/regions/admin-connection';
import { copyReplicatedTables, replicatedTables } from '../../src/regions/region-copy';
import { readPage } from '../support/pages';
import { TwoDatabases } from '../support/two-databases';
import { fixture } from '../support/fixtures';

const on = fixture(() => TwoDatabases.create());
const connection = (side: 'primary' | 'region') =>
  fixture(
    () => AdminConnection.open(side, on[side].url),
    (opened) => opened.end(),
  );
const [primary, region] = [connection('primary'), connection('region')];
beforeAll(() => region.query('SELECT create_region_triggers()'));

/** Copies as a rebuild does. A transaction of the primary exports the snapshot instead of a slot. */
async function copy(): Promise<ReturnType<typeof copyReplicatedTables>> {
  const exporting = await on.pools.primary.connect();
  try {
    await exporting.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { rows } = await exporting.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot');
    return await copyReplicatedTables(primary, region, rows[0]!.snapshot, async () => {});
  } finally {
    await exporting.query('ROLLBACK');
    exporting.release();
  }
}

const purges = () =>
  on.region.query('SELECT project_id FROM click_purges UNION ALL SELECT project_id FROM clickhouse_purges');

test('a project that differs is replaced, and its clicks are purged from no store', async () => {
  await on.primary.query("UPDATE projects SET name = 'Renamed'");
  expect(await copy()).toMatchObject({ projects: { rows: 1, changed: 1 } });
  expect(await on.region.query('SELECT name FROM projects')).toEqual([{ name: 'Renamed' }]);
  expect(await purges()).toEqual([]);
});

test('the clicks of a project that the primary has deleted are purged from both stores', async () => {
  await on.primary.query('UPDATE projects SET deleted_at = now()');
  await copy();
  expect(await purges()).toEqual([{ project_id: on.projectId }, { project_id: on.projectId }]);
});

test('the documented role of a region may read all tables that it receives', async () => {
  const grants = readPage('docs/operating/regions.md').matchAll(/^GRANT SELECT ON ([a-z_, ]+) TO signpost_eu;$/gm);
  const granted = [...grants].flatMap(([, tables]) => tables!.split(', '));
  // A delivery compares the code of the primary. Pictures are read there, because a region has none.
  const others = ['this_region', 'pictures'];
  expect(granted.sort()).toEqual([...(await replicatedTables(primary)), ...others].sort());
});
