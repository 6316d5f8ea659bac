import { DataSource } from 'typeorm';
import { currentTenant } from '../../src/platform/postgres/deadline';
import type { TestService } from './service';

/** Look-ups of the key and the project, which are cached. */
const lookUps = /api_keys|FROM "projects" "t"/;

/** Returns the SQL statements of requests while `work` runs, without the look-ups of keys and projects. */
export const statementsOf = async (on: TestService, work: () => Promise<unknown>): Promise<string[]> =>
  (await allStatementsOf(on, work)).filter((sql) => !lookUps.test(sql));

/** Returns the SQL statements of requests while `work` runs. Those of jobs run at any time, outside requests. */
export async function allStatementsOf(on: TestService, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const logged = jest
    .spyOn(on.service.app.get(DataSource).logger, 'logQuery')
    .mockImplementation((sql) => void (currentTenant() && statements.push(sql)));
  try {
    await work();
    return statements;
  } finally {
    logged.mockRestore();
  }
}
