import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Answer } from './ask';
import { createDatabase, type TestDatabase } from './database';
import { untilLocked } from './lock-waits';
import { anAccountByShell, endAllPrograms, Program } from './process';
import { useProductionTimeLimitsInPrograms } from './time-limits';

let database: TestDatabase;
let key: string;
beforeAll(async () => {
  database = await createDatabase();
  key = (await anAccountByShell({ DATABASE_URL: database.url })).api_key.key;
});
afterAll(async () => {
  await endAllPrograms();
  await database.drop();
});

/** Blocks a request for longer than the product waits. */
async function blocked(): Promise<Answer> {
  const program = await Program.serving({ DATABASE_URL: database.url });
  const other = new Client({ connectionString: database.url });
  await other.connect();
  await other.query('BEGIN');
  await other.query('LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
  const answer = program.ask('/api/v1/projects', { key });
  await untilLocked(database, 'projects');
  await delay(4000);
  await other.end();
  return answer;
}

test('a program of a test waits longer for its database than one in production', async () => {
  expect((await blocked()).status).toBe(200);
  useProductionTimeLimitsInPrograms();
  expect(await blocked()).toMatchObject({ status: 503, json: { error: { code: 'DATABASE_ERROR' } } });
});
