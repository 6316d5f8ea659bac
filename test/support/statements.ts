import { DataSource } from 'typeorm';
import { currentTenant } from '../../src/platform/postgres/request-context';
import type { TestService } from './service';

/** Look-ups of the key and the project, which are cached. */
const lookUps = /api_keys|FROM "projects" "t"/;

const isInRequest = () => currentTenant() !== null;

/** Returns the statements of `allStatementsOf` without the look-ups of keys and projects. */
export const statementsOf = async (...parameters: Parameters<typeof allStatementsOf>): Promise<string[]> =>
  (await allStatementsOf(...parameters)).filter((sql) => !lookUps.test(sql));

/**
 * Returns the SQL statements of the management API while `work` runs.
 * @param isCounted by default only statements of requests count, because jobs run at any time
 */
export async function allStatementsOf(
  on: TestService,
  work: () => Promise<unknown>,
  isCounted: () => boolean = isInRequest,
): Promise<string[]> {
  const statements: string[] = [];
  const logged = jest
    .spyOn(on.service.app.get(DataSource).logger, 'logQuery')
    .mockImplementation((sql) => void (isCounted() && statements.push(sql)));
  try {
    await work();
    return statements;
  } finally {
    logged.mockRestore();
  }
}
