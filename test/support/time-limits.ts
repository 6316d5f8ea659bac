import { timeLimits } from '../../src/platform/postgres/time-limits';

const production = { ...timeLimits };

/** Ten times the production limits: a busy machine is slow, and few specs are about that. */
export function useGenerousTimeLimits(): void {
  for (const name of Object.keys(production) as (keyof typeof production)[]) timeLimits[name] = production[name] * 10;
}

/** To be called by a spec of slow or lost databases, before it starts a service. The next spec file has generous limits again. */
export function useProductionTimeLimits(): void {
  Object.assign(timeLimits, production);
}
