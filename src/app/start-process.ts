import type { Environment } from './environment';
import { refuseRegion } from '../regions/region';
import type { ImportProcess } from './import-process';
import type { NestProcess } from './nest-process';
import type { TrafficProcess } from './traffic-process';

/**
 * Starts the service of the configured role, and loads no other. Returns when it listens.
 * @throws BadSetting if the settings do not suit the database
 */
export async function startProcess(environment: Environment): Promise<NestProcess | TrafficProcess | ImportProcess> {
  const { role, primaryDatabaseUrl } = environment.config;
  if (primaryDatabaseUrl === undefined) await refuseRegion(environment.database.url);
  if (role === 'traffic') return (await import('./traffic-process.js')).startTraffic(environment);
  if (role === 'import') return (await import('./import-process.js')).startImports(environment);
  return (await import('./nest-process.js')).startNest(environment);
}
