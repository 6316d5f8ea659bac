import { Pool } from 'pg';
import { PgClickDeliveries } from './pg-click-deliveries';
import { PgDeferredLinkMoves } from './pg-deferred-link-moves';
import { type AdminConnection, adminOptions } from './admin-connection';
import type { Region } from './region';
import { unregister } from './region-registry';
import { dropSlot } from './replication';
import { dropSubscription } from './subscription';

export async function removeAtPrimary(primary: AdminConnection, name: string): Promise<Record<string, unknown>> {
  const slot = await dropSlot(primary, name);
  const registration = await unregister(primary, name);
  return { slot: slot ? 'dropped' : 'missing', registration: registration ? 'removed' : 'missing' };
}

export interface HandedOver {
  undelivered_clicks: number;
  moved_tokens: number;
  /** Tokens of deferred links that can be claimed in the region alone. */
  kept_tokens: number;
  /** Whether the primary knows the region. Otherwise it takes nothing. */
  isRegistered: boolean;
}

/** Delivers the clicks and moves the tokens of a region that is about to be removed. */
export async function handOver(
  { code, writer }: Region,
  urls: { region: string; primary: string },
): Promise<HandedOver> {
  const [region, primary] = [openPool(urls.region), openPool(urls.primary)];
  try {
    const { rows } = await primary.query<{ last_delivery: string }>('SELECT * FROM contact_primary($1, $2)', [
      code,
      writer,
    ]);
    const deliveries = new PgClickDeliveries(region, primary, writer);
    const tokens = new PgDeferredLinkMoves(region, primary, code);
    let moved = 0;
    if (rows[0]) {
      await deliveries.deliver(rows[0].last_delivery);
      moved = await tokens.moveAll();
    }
    return {
      undelivered_clicks: await deliveries.countUndelivered(),
      moved_tokens: moved,
      kept_tokens: await tokens.countKept(),
      isRegistered: rows[0] !== undefined,
    };
  } finally {
    await Promise.all([region.end(), primary.end()]);
  }
}

/** @throws Error if the region has clicks or tokens that the primary lacks */
export function refuseLoss(
  { undelivered_clicks: clicks, kept_tokens: tokens, isRegistered }: HandedOver,
  isReplaced: boolean,
): void {
  if (clicks === 0 && tokens === 0) return;
  const left = `Undelivered clicks: ${clicks}, tokens: ${tokens}`;
  if (isRegistered)
    throw new Error(
      `The region: it still has content. ${left}. Stop its processes, and run the command again. Or add --force to give it up.`,
    );
  throw new Error(
    isReplaced
      ? `The primary: another database is the region now. ${left}. Add --force to give them up.`
      : `The primary: it does not know the region. ${left}. Run "region add" first. Or add --force to give them up.`,
  );
}

function openPool(url: string): Pool {
  const pool = new Pool(adminOptions(url));
  pool.on('error', () => {}); // the next query reports it
  return pool;
}

export async function removeInRegion(region: AdminConnection): Promise<Record<string, unknown>> {
  return { subscription: (await dropSubscription(region)) ? 'dropped' : 'missing' };
}
