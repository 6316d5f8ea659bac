import { type ImportProcess, startImports as startProcess } from '../../src/app/import-process';
import { readConfig } from '../../src/app/settings/config';
import { ImportProcesses } from '../../src/imports/model/import-processes';
import { batchPause } from '../../src/imports/work/import-runner.service';
import { Log } from '../../src/platform/observability/log';
import type { TestService } from './service';

// Nobody else needs the database.
batchPause.factor = 0;

const running = new WeakMap<TestService, Promise<ImportProcess>>();

/** Starts a process of imports for a service if it has none. */
export function needsImports(on: TestService): Promise<ImportProcess> {
  const started = running.get(on) ?? startImports(on);
  running.set(on, started);
  return started;
}

/**
 * Starts a process of imports for a service, within the process of the test. It logs into the lines of the service, and stops before
 * it.
 */
export async function startImports(on: TestService, environment: Record<string, string> = {}): Promise<ImportProcess> {
  const config = readConfig({
    ROLE: 'import',
    PORT: '0',
    HOST: '127.0.0.1',
    LINK_BASE_URL: 'http://localhost:3000',
    API_BASE_URL: 'http://localhost:3000',
    ...environment,
  });
  const log = new Log('debug', { write: (line) => void on.logLines.push(line) });
  const { url } = on.database;
  const started = await startProcess({ config, database: { url, directUrl: url }, log });
  on.service.app.get(ImportProcesses).wake = () => started.wake();
  const { stop } = on;
  on.stop = async () => {
    await started.stop();
    await stop();
  };
  return started;
}
