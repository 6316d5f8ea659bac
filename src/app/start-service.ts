import type { Environment } from './environment';
import { refuseRegion } from './regions/region';
import type { Service } from './service';
import type { TrafficService } from './traffic-service';

/**
 * Starts the service of the configured role, and loads no other. Returns when it listens.
 * @throws BadSetting if the settings do not suit the database
 */
export async function startService(environment: Environment): Promise<Service | TrafficService> {
  if (environment.config.primaryDatabaseUrl === undefined) await refuseRegion(environment.database.url);
  if (environment.config.role === 'traffic') {
    const { TrafficService } = await import('./traffic-service.js');
    return TrafficService.start(environment);
  }
  const { Service } = await import('./service.js');
  return Service.start(environment);
}
