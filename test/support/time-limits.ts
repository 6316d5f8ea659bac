import { join } from 'node:path';
import { timeLimits } from '../../src/platform/postgres/time-limits';
import multiplyLimits from './multiply-limits.cjs';

const production = { ...timeLimits };

/** The limits of programs. Files that a worker runs share it. */
let ofPrograms: 'production' | 'generous-limits' | 'generous-limits-but-heartbeats' | 'generous-limits-but-traces' =
  'generous-limits';

/** Multiplies the production limits by ten, because a busy machine is slow. Each file begins with these, in process and in programs. */
export function useGenerousTimeLimits(): void {
  ofPrograms = 'generous-limits';
  for (const name of Object.keys(production) as (keyof typeof production)[]) timeLimits[name] = production[name] * 10;
}

/** Restores the production limits of heartbeats. A spec about silent connections calls it before it starts a service. */
export function useProductionHeartbeats(): void {
  const { heartbeat, heartbeatValid } = production;
  Object.assign(timeLimits, { heartbeat, heartbeatValid });
}

/** Restores the production limit of a wait for a lock. A spec about locked tables calls it before it starts a service. */
export function useProductionLockLimit(): void {
  timeLimits.lock = production.lock;
}

/** Restores the production limits. A spec about slow or lost databases calls it before it starts a service. */
export function useProductionTimeLimits(): void {
  Object.assign(timeLimits, production);
}

/**
 * Gives the programs of this spec the production limits instead of ten times as much. A spec about slow or lost databases calls it
 * before it starts one.
 */
export function useProductionTimeLimitsInPrograms(): void {
  ofPrograms = 'production';
}

/**
 * Gives the programs of this spec the production limits of heartbeats. A spec about the second in which changes must be visible calls it
 * before it starts one.
 */
export function useProductionHeartbeatsInPrograms(): void {
  ofPrograms = 'generous-limits-but-heartbeats';
}

/**
 * Gives the programs of this spec the production limit for sending the last traces. A spec about collectors that do not answer calls it
 * before it starts one.
 */
export function useProductionTraceLimitsInPrograms(): void {
  ofPrograms = 'generous-limits-but-traces';
}

/** Returns the options of Node that give a program its limits. */
export const limitsOfPrograms = (): string[] =>
  ofPrograms === 'production' ? [] : ['--require', join(__dirname, `${ofPrograms}.cjs`)];

/** Returns the `NODE_OPTIONS` of a container with generous limits, which sees no file of the tests. */
export const limitsOfContainers = (): string =>
  `--import=data:text/javascript,${encodeURIComponent(`(${multiplyLimits.toString()})()`)}`;
