import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminConnection } from './admin-connection';
import type { Region } from './region';
import { listRegions, unregistered } from './region-registry';
import { subscriptionState } from './subscription';

/** How long `region status` waits for a change to arrive in the region. */
const arrivalTimeoutMs = 5000;

/**
 * Returns the state of a region, as its database and the primary see it.
 * @param primary null if it is down
 */
export async function regionStatusOf(
  primary: AdminConnection | null,
  region: AdminConnection,
  known: Region,
): Promise<Record<string, unknown>> {
  const { name, code } = known;
  const subscription = await subscriptionState(region);
  const isRegistered = primary !== null && (await writeHeartbeat(primary, known));
  // Without a new heartbeat no change arrives that could be timed.
  const lag = isRegistered ? await arrivalSeconds(primary, region, code) : await ageSeconds(region, code);
  const slot = isRegistered
    ? (await listRegions(primary)).find((listed) => listed.name === name)
    : primary && unregistered(name);
  return { name, code, subscription, primary: primary ? 'up' : 'down', lag_seconds: lag, slot };
}

async function writeHeartbeat(primary: AdminConnection, { code, writer }: Region): Promise<boolean> {
  return (await primary.query('SELECT contact_primary($1, $2)', [code, writer])).length > 0;
}

/** Returns the seconds until the heartbeat of the primary arrives, or the age of the data if it does not arrive in time. */
async function arrivalSeconds(primary: AdminConnection, region: AdminConnection, code: number): Promise<number | null> {
  const startedAt = performance.now();
  const written = (await heartbeatIn(primary, code))!;
  let arrived = await heartbeatIn(region, code);
  while (performance.now() - startedAt < arrivalTimeoutMs) {
    if (arrived !== null && arrived >= written) return (performance.now() - startedAt) / 1000;
    await sleep(50);
    arrived = await heartbeatIn(region, code);
  }
  return arrived && (written - arrived) / 1000;
}

/** Returns the age of the replicated data; null if the region has no heartbeat, because the primary removed it. */
async function ageSeconds(region: AdminConnection, code: number): Promise<number | null> {
  const [row] = await region.query<{ age: number }>(
    'SELECT extract(epoch FROM clock_timestamp() - heartbeat_at)::float8 AS age FROM regions WHERE code = $1',
    [code],
  );
  return row ? row.age : null;
}

async function heartbeatIn(side: AdminConnection, code: number): Promise<number | null> {
  const [row] = await side.query<{ at: Date }>('SELECT heartbeat_at AS at FROM regions WHERE code = $1', [code]);
  return row ? row.at.getTime() : null;
}
