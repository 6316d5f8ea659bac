import type { Environment } from './environment';
import type { Service } from './service';
import type { TrafficService } from './traffic-service';

/** Starts the service of the configured role, and loads no other. Returns when it listens. */
export async function startService(environment: Environment): Promise<Service | TrafficService> {
  if (environment.config.role === 'traffic') {
    const { TrafficService } = await import('./traffic-service.js');
    return TrafficService.start(environment);
  }
  const { Service } = await import('./service.js');
  return Service.start(environment);
}
