import { DataSource } from 'typeorm';
import type { TestService } from './service';

/** Returns the SQL statements of the management API while `work` runs, except the key look-up. */
export async function statementsOf(on: TestService, work: () => Promise<unknown>): Promise<string[]> {
  const logged = jest.spyOn(on.service.app.get(DataSource).logger, 'logQuery');
  try {
    await work();
    return logged.mock.calls.map(([sql]) => sql).filter((sql) => !sql.includes('api_keys'));
  } finally {
    logged.mockRestore();
  }
}
