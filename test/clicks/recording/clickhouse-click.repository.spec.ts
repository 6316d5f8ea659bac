import type { Pool } from 'pg';
import { ClickHouseClickRepository } from '../../../src/clicks/recording/clickhouse-click.repository';
import type { PgClickHousePurges } from '../../../src/clicks/recording/pg-clickhouse-purges';
import type { ClickHouse, Insert } from '../../../src/platform/clickhouse/clickhouse';
import { namesOfTables } from '../../../src/clicks/recording/clickhouse-schema';
import { newId } from '../../../src/shared/id';
import { aClick, anOpenedLink, batchOf } from './counting';

test('ClickHouse gets a batch once while PostgreSQL is away, because it does not remember its token for long', async () => {
  const inserts: string[] = [];
  const clickHouse = {
    up: true,
    check: async () => {},
    rows: async () => namesOfTables.map((name) => ({ name })),
    insert: async ({ token }: Insert) => void inserts.push(token),
  } as unknown as ClickHouse;
  const repository = new ClickHouseClickRepository(
    clickHouse,
    {} as PgClickHousePurges,
    { retentionMonths: 13, migrate: false, writesBoth: true },
    {} as Pool,
  );
  const recordMirrored = jest.spyOn(repository, 'recordMirrored').mockResolvedValue();
  const batch = batchOf([aClick({ at: 0, projectId: newId(), link: anOpenedLink() })]);
  recordMirrored.mockRejectedValueOnce(new Error('away')).mockRejectedValueOnce(new Error('away'));
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(repository.record('writer', 1, batch)).rejects.toThrow('away');
  await repository.record('writer', 1, batch);
  await repository.record('writer', 2, batch);
  expect(inserts).toEqual(['writer:1', 'writer:2']);
  expect(recordMirrored.mock.calls.map(([, number]) => number)).toEqual([1, 1, 1, 2]);
});
