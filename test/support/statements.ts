import { DataSource } from 'typeorm';
import type { TestService } from './service';

/** Returns the SQL statements of the management API while `work` runs, except the look-ups of key and project, which are cached. */
export async function statementsOf(on: TestService, work: () => Promise<unknown>): Promise<string[]> {
  const logged = jest.spyOn(on.service.app.get(DataSource).logger, 'logQuery');
  try {
    await work();
    return logged.mock.calls
      .map(([sql]) => sql)
      .filter((sql) => !/api_keys|FROM projects t WHERE t.id = ANY/.test(sql));
  } finally {
    logged.mockRestore();
  }
}
