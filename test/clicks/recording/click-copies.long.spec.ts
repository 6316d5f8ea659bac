import type { Pool } from 'pg';
import { PgClickCopies } from '../../../src/clicks/recording/pg-click-copies';
import { eventually } from '../../support/eventually';
import { TwoDatabases } from '../../support/two-databases';
import { aClick, anOpenedLink, clicksOn } from './counting';
import { aPool } from '../../support/pool';

const month = '2026-11-01';

let on: TwoDatabases;
let clicks: ReturnType<typeof clicksOn>;
let pool: Pool;
let copies: PgClickCopies;
beforeEach(async () => {
  on = await TwoDatabases.create();
  clicks = clicksOn(on.primary);
  await clicks.repository.createPartitions([Date.parse(month)]);
  pool = aPool({ connectionString: on.primary.url });
  copies = new PgClickCopies(pool);
});
afterEach(async () => {
  await Promise.all([clicks.close(), pool.end()]);
  await on.drop();
});

const write = (count: number) =>
  clicks.write(
    Array.from({ length: count }, () =>
      aClick({
        at: Date.parse('2026-11-21T10:07:00Z'),
        projectId: on.projectId,
        link: anOpenedLink({ id: on.linkId }),
      }),
    ),
  );

const progress = () =>
  on.primary.query('SELECT last_batch_id AS last, next_batch_id AS next, clicks::int FROM click_copies');

test('a part is noted once, however many processes have copied it', async () => {
  await write(3);
  const part = (await copies.next(month, await copies.lastBatch()))!;
  const noted = await Promise.allSettled(Array.from({ length: 4 }, () => copies.done(month, part)));
  expect(noted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(noted.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: expect.stringContaining('another process copies clicks') as string },
  });
  expect(await progress()).toEqual([{ last: part.last, next: null, clicks: 3 }]);
});

test('a copy waits for the end of a roll-up, however long that takes', async () => {
  await write(1);
  const rollUp = await on.pools.primary.connect();
  await rollUp.query('BEGIN');
  await rollUp.query('SELECT pg_advisory_xact_lock_shared(1668049251, 1)');
  const impatient = aPool({ connectionString: on.primary.url, lock_timeout: 20 });
  let attempts = 0;
  impatient.on('release', () => attempts++);
  const last = new PgClickCopies(impatient).lastBatch();
  try {
    await Promise.race([last, eventually(() => attempts > 0)]);
  } finally {
    await rollUp.query('COMMIT');
    rollUp.release();
  }
  expect(Number(await last)).toBeGreaterThan(0);
  await impatient.end();
});
