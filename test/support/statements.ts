import { DataSource } from 'typeorm';
import type { TestService } from './service';

/** Look-ups of the key and the project, which are cached, and the sweep that looks for large projects at any time. */
const others = /api_keys|FROM "projects" "t"|AS share/;

/** Returns the SQL statements of the management API while `work` runs, except `others`. */
export async function statementsOf(on: TestService, work: () => Promise<unknown>): Promise<string[]> {
  const logged = jest.spyOn(on.service.app.get(DataSource).logger, 'logQuery');
  try {
    await work();
    return logged.mock.calls.map(([sql]) => sql).filter((sql) => !others.test(sql));
  } finally {
    logged.mockRestore();
  }
}
