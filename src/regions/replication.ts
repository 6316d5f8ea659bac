import { setTimeout as sleep } from 'node:timers/promises';
import { type AdminConnection, isInsufficientPrivilege } from './admin-connection';
import { replicatedTables } from './region-copy';

export const publication = 'signpost_regions';

export const endTimeoutMs = 10_000;

export const slotOf = (name: string): string => `signpost_${name}`;

/** Selects a slot by its name. All databases of a server share the names, and those of another one may be another installation. */
const fromSlot = 'FROM pg_replication_slots WHERE slot_name = $1 AND database = current_database()';

export type SlotState = 'active' | 'inactive' | 'lost' | 'missing';

/** The SQL expression of the state of a slot that exists. */
export const stateOfSlot = "CASE WHEN wal_status = 'lost' THEN 'lost' WHEN active THEN 'active' ELSE 'inactive' END";

/** Creates the publication of the primary, or adds tables of a newer release. */
export async function ensurePublication(primary: AdminConnection): Promise<void> {
  const expected = await replicatedTables(primary);
  const rows = await primary.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_publication_tables WHERE pubname = $1',
    [publication],
  );
  if (rows.length > 0 && expected.every((table) => rows.some(({ name }) => name === table))) return;
  const [known] = await primary.query('SELECT FROM pg_publication WHERE pubname = $1', [publication]);
  await primary.query(
    known
      ? `ALTER PUBLICATION ${publication} SET TABLE ${expected.join(', ')}`
      : `CREATE PUBLICATION ${publication} FOR TABLE ${expected.join(', ')}`,
  );
}

export async function slotState(primary: AdminConnection, name: string): Promise<SlotState> {
  const sql = `SELECT ${stateOfSlot} AS state ${fromSlot}`;
  const [slot] = await primary.query<{ state: SlotState }>(sql, [slotOf(name)]);
  return slot?.state ?? 'missing';
}

/** @throws Error if another database of the server has a region of that name */
export async function refuseSlotOfOtherDatabase(primary: AdminConnection, name: string): Promise<void> {
  const [other] = await primary.query<{ database: string }>(
    'SELECT database FROM pg_replication_slots WHERE slot_name = $1 AND database <> current_database()',
    [slotOf(name)],
  );
  if (other)
    throw new Error(
      `The primary: the slot ${slotOf(name)} is that of the database ${other.database} on the same server. Choose another name.`,
    );
}

/**
 * Ends the connection of the region, and drops its slot. Returns whether there was one.
 * @throws Error if the connection does not end, also because the role may not end it
 */
export async function dropSlot(primary: AdminConnection, name: string): Promise<boolean> {
  const slot = slotOf(name);
  let isRefused = false;
  for (const giveUpAt = performance.now() + endTimeoutMs; performance.now() < giveUpAt; await sleep(100)) {
    const [row] = await primary.query<{ active_pid: number | null }>(`SELECT active_pid ${fromSlot}`, [slot]);
    if (!row) return false;
    if (row.active_pid === null) {
      await primary.query('SELECT pg_drop_replication_slot($1)', [slot]);
      return true;
    }
    await primary.query('SELECT pg_terminate_backend($1)', [row.active_pid]).catch((error: unknown) => {
      // It ends by itself if its subscription is dropped.
      if (!isInsufficientPrivilege(error)) throw error;
      isRefused = true;
    });
  }
  if (isRefused)
    throw new Error(
      `The primary: slot ${slot} is in use, and this role may not end the connection. Grant it the role of the region (such as GRANT signpost_${name} TO …) or pg_signal_backend.`,
    );
  throw new Error(`The primary: slot ${slot} is in use. Stop the region's subscription, and run the command again.`);
}

/** Creates the slot, and exports the snapshot from which it continues. It is valid while the connection is open. */
export async function createSlot(replication: AdminConnection, name: string, isFailover: boolean): Promise<string> {
  const [row] = await replication.query<{ snapshot_name: string }>(
    `CREATE_REPLICATION_SLOT "${slotOf(name)}" LOGICAL pgoutput (SNAPSHOT 'export'${isFailover ? ', FAILOVER true' : ''})`,
  );
  return row!.snapshot_name;
}
