import type { Pool } from 'pg';
import { PrimaryContact } from '../../src/regions/primary-contact';
import { PgClickRepository } from '../../src/clicks/recording/pg-click.repository';
import { Log } from '../../src/platform/observability/log';
import { newId } from '../../src/shared/id';
import { aClick, anOpenedLink, batchOf, clicksOfRow } from '../clicks/recording/counting';
import { eventually } from '../support/eventually';
import { aPool } from '../support/pool';
import { TwoDatabases } from '../support/two-databases';
import { fixture } from '../support/fixtures';

let region: PgClickRepository;
const contacts: { contact: PrimaryContact; local: Pool }[] = [];

const on = fixture(() => TwoDatabases.create());
beforeAll(async () => {
  await on.region.query("INSERT INTO regions (code, name, writer) VALUES ($1, 'eu', $2)", [on.code, on.writer]);
  region = new PgClickRepository(on.pools.region, true);
  await region.createPartitions([Date.now()]);
});
afterEach(async () => {
  await Promise.all(
    contacts.splice(0).map(async ({ contact, local }) => {
      await contact.stop();
      await local.end();
    }),
  );
});

/** Returns a pool whose statements run, unless `refuses` returns true. */
function refusing(pool: Pool, refuses: (sql: string) => boolean): Pool {
  const query = async (sql: string, values?: unknown[]) => {
    if (refuses(sql)) throw new Error('canceling statement due to statement timeout');
    return pool.query(sql, values);
  };
  return { query } as unknown as Pool;
}

/** Starts the contact of a process, some of whose statements fail. */
function aProcess({
  refusesLocal = () => false,
  refusesPrimary = () => false,
}: Partial<Record<'refusesLocal' | 'refusesPrimary', (sql: string) => boolean>> = {}): PrimaryContact {
  const local = aPool({ connectionString: on.region.url, max: 1 });
  const contact = new PrimaryContact(
    { code: on.code, name: 'eu', writer: on.writer },
    refusing(local, refusesLocal),
    refusing(on.pools.primary, refusesPrimary),
    new Log('silent'),
  );
  contact.start();
  contacts.push({ contact, local });
  return contact;
}

let written = 0;

async function clicksInPrimary(): Promise<number> {
  const [row] = await on.primary.query<{ clicks: number }>(
    `SELECT coalesce(sum(${clicksOfRow}), 0)::int AS clicks FROM clicks`,
  );
  return row!.clicks;
}

/** Writes a click, and waits until the primary has all clicks. */
async function countsAClick(): Promise<void> {
  const click = aClick({ at: Date.now(), projectId: on.projectId, link: anOpenedLink({ id: on.linkId }) });
  await region.record(newId(), 1, batchOf([click]));
  written++;
  await eventually(async () => (await clicksInPrimary()) === written);
}

test('clicks are delivered although their count exceeds its time limit', async () => {
  let counts = 0;
  const contact = aProcess({ refusesLocal: (sql) => sql.includes('sum(clicks)') && ++counts > 0 });
  await countsAClick();
  await eventually(() => counts > 0);
  expect(contact.undeliveredClicks).toBeNull();
});

test('another process delivers while the one that did cannot reach the primary', async () => {
  let isCut = false;
  aProcess({ refusesPrimary: () => isCut });
  await countsAClick();
  aProcess();
  isCut = true;
  await countsAClick();
});
