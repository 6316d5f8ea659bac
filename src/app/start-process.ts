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
  if (environment.config.primaryDatabaseUrl === undefined) await refuseRegion(environment.database.url);
  if (environment.config.role === 'traffic') {
    const { TrafficProcess } = await import('./traffic-process.js');
    return TrafficProcess.start(environment);
  }
  if (environment.config.role === 'import') {
    const { ImportProcess } = await import('./import-process.js');
    return ImportProcess.start(environment);
  }
  const { NestProcess } = await import('./nest-process.js');
  return NestProcess.start(environment);
}
