import { timeLimits } from '../../src/platform/postgres/time-limits';

const production = { ...timeLimits };

/** Multiplies the production limits by ten, because a busy machine is slow. */
export function useGenerousTimeLimits(): void {
  for (const name of Object.keys(production) as (keyof typeof production)[]) timeLimits[name] = production[name] * 10;
}

/** Restores the production limits of heartbeats. A spec about silent connections calls it before it starts a service. */
export function useProductionHeartbeats(): void {
  const { heartbeat, heartbeatValid } = production;
  Object.assign(timeLimits, { heartbeat, heartbeatValid });
}

/** Restores the production limit of a query. A spec about lost answers of statements that wait calls it before it starts a service. */
export function useProductionQueryLimit(): void {
  timeLimits.query = production.query;
}

/** Restores the production limits. A spec about slow or lost databases calls it before it starts a service. */
export function useProductionTimeLimits(): void {
  Object.assign(timeLimits, production);
}
