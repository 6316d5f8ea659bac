import { setTimeout as sleep } from 'node:timers/promises';
import { ImportProcesses } from '../../../src/imports/model/import-processes';
import { PgImportQueue } from '../../../src/imports/model/pg-import-queue';
import { Log } from '../../../src/platform/observability/log';
import { TransactionContext } from '../../../src/platform/postgres/transaction-context';
import { newId } from '../../../src/shared/id';
import { aProject } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { readPage } from '../../support/pages';
import { serviceFixture } from '../../support/fixtures';

let queue: PgImportQueue;
const on = serviceFixture();
beforeEach(async () => {
  await on.database.query('DELETE FROM import_jobs');
  const { app } = on.service;
  queue = new PgImportQueue(app.get(TransactionContext), app.get(Log), new ImportProcesses());
});
afterEach(() => queue.stop());

/** Creates imports of a new account that are being checked. */
async function anAccountWith(imports: number): Promise<string[]> {
  const { key } = await on.anAccount('enterprise');
  const project = await aProject(on, key);
  const ids = Array.from({ length: imports }, () => newId());
  await on.database.query(
    `INSERT INTO imports (id, project_id, source, format, conflict_policy, options, state)
     SELECT id, $2, 'signpost', 'ndjson', 'skip', '{}', 'checking' FROM unnest($1::uuid[]) AS id`,
    [ids, project.id],
  );
  return ids;
}

/** Sends a slice of each import at one time, that of the transaction, so that a busy machine changes no order. */
const send = (ids: string[]): Promise<void> =>
  on.service.app.get(TransactionContext).run(async () => {
    for (const id of ids) await queue.send(id);
  });

/** Runs slices until there are as many as wanted, and returns their imports. */
async function run(slices: number, work: (id: string) => Promise<boolean>): Promise<string[]> {
  const done: string[] = [];
  const runSlice = async (id: string) => {
    done.push(id);
    return (await work(id)) ? 0 : null;
  };
  queue.start(runSlice, () => Promise.resolve(null));
  await eventually(() => done.length >= slices);
  await queue.stop();
  return done;
}

test('an account with one import does not wait for the many of another one', async () => {
  const many = await anAccountWith(20);
  const [one] = (await anAccountWith(1)) as [string];
  await send([...many, one]);
  const done = await run(21, () => Promise.resolve(false));
  expect(done[0]).toBe(one);
  expect(new Set(done)).toEqual(new Set([...many, one]));
});

test('an account with many imports has its turn too', async () => {
  const many = await anAccountWith(3);
  const [one] = (await anAccountWith(1)) as [string];
  await send([...many, one]);
  const done = await run(3, async (id) => {
    // The others were sent seconds ago, as after slices of two seconds each.
    if (id === one) await on.database.query('UPDATE import_jobs SET place = place - 7 WHERE taken_until IS NULL');
    return true;
  });
  expect(done[0]).toBe(one);
  expect(many).toContain(done[1]);
});

test('imports that fail again and again do not hold up others', async () => {
  const failing = [...(await anAccountWith(1)), ...(await anAccountWith(1))];
  const [good] = (await anAccountWith(1)) as [string];
  await send([...failing, good]);
  const done = await run(4, async (id) => {
    await sleep(1100);
    if (failing.includes(id)) throw new Error('the rows cannot be written');
    return false;
  });
  expect(done.slice(0, 4)).toContain(good);
  const logged = on.logLines.filter((line) => line.includes('the rows cannot be written'));
  expect(logged.some((line) => failing.some((id) => line.includes(`an import failed, will be retried: ${id}: `)))).toBe(
    true,
  );
});

test('the statement of the runbook finds unfinished imports, their projects and their accounts', async () => {
  const [id] = await anAccountWith(1);
  const [statement] = /^SELECT imports\.id[^;]+;/m.exec(readPage('docs/operating/alerts-database.md'))!;
  const [owner] = await on.database.query(
    'SELECT project_id, account_id FROM imports JOIN projects ON projects.id = project_id WHERE imports.id = $1',
    [id],
  );
  expect(await on.database.query(statement)).toContainEqual(expect.objectContaining({ id, ...owner }));
});
