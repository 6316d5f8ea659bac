import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminConnection } from './admin-connection';
import { replicatedTables } from './region-copy';

const publication = 'signpost_regions';

const subscription = 'signpost_region';

/** How long a connection of replication takes to end. */
const endTimeoutMs = 10_000;

export const slotOf = (name: string): string => `signpost_${name}`;

/** Selects a slot by its name. All databases of a server share the names, and those of another one may be another installation. */
export const fromSlot = 'FROM pg_replication_slots WHERE slot_name = $1 AND database = current_database()';

export type SlotState = 'active' | 'inactive' | 'lost' | 'missing';

/** Creates the publication of the primary, or adds tables of a newer release. */
export async function ensurePublication(primary: AdminConnection): Promise<void> {
  const wanted = await replicatedTables(primary);
  const rows = await primary.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_publication_tables WHERE pubname = $1',
    [publication],
  );
  if (rows.length > 0 && wanted.every((table) => rows.some(({ name }) => name === table))) return;
  const [known] = await primary.query('SELECT FROM pg_publication WHERE pubname = $1', [publication]);
  await primary.query(
    known
      ? `ALTER PUBLICATION ${publication} SET TABLE ${wanted.join(', ')}`
      : `CREATE PUBLICATION ${publication} FOR TABLE ${wanted.join(', ')}`,
  );
}

export async function slotState(primary: AdminConnection, name: string): Promise<SlotState> {
  const [slot] = await primary.query<{ active: boolean; lost: boolean }>(
    `SELECT active, coalesce(wal_status = 'lost', false) AS lost ${fromSlot}`,
    [slotOf(name)],
  );
  if (!slot) return 'missing';
  return slot.lost ? 'lost' : slot.active ? 'active' : 'inactive';
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

export type SubscriptionState = 'running' | 'stopped' | 'disabled' | 'missing';

export async function subscriptionState(region: AdminConnection): Promise<SubscriptionState> {
  const [row] = await region.query<{ enabled: boolean; running: boolean }>(
    `SELECT subenabled AS enabled, EXISTS (
       SELECT FROM pg_stat_subscription AS worker WHERE worker.subid = pg_subscription.oid AND worker.received_lsn IS NOT NULL
     ) AS running
     FROM pg_subscription JOIN pg_database ON pg_database.oid = subdbid WHERE subname = $1 AND datname = current_database()`,
    [subscription],
  );
  if (!row) return 'missing';
  return row.enabled ? (row.running ? 'running' : 'stopped') : 'disabled';
}

/**
 * Makes replicated changes wait for synchronous standbys of the region, so that the primary keeps them until a standby has them. Unlike
 * other connections, a subscription does not wait by default.
 */
const waitsForStandbys = 'synchronous_commit = on';

/** The settings by which a server logs statements, with the values that keep them out of its log. Only superusers may set them. */
const statementLogs = {
  log_min_error_statement: 'panic',
  log_statement: 'none',
  log_min_duration_statement: '-1',
};

/**
 * Runs a statement that contains a password. It should not be in the log of the region, where a failing statement is by default. A
 * role without the right to change what is logged runs it anyway.
 */
async function runUnlogged(region: AdminConnection, sql: string): Promise<void> {
  const each = async (statementFor: (name: string, value: string) => string): Promise<void> => {
    for (const [name, value] of Object.entries(statementLogs))
      await region.query(statementFor(name, value)).catch((error: unknown) => {
        if (!isInsufficientPrivilege(error)) throw error;
      });
  };
  await each((name, value) => `SET ${name} = '${value}'`);
  try {
    await region.query(sql);
  } finally {
    await each((name) => `RESET ${name}`);
  }
}

/** Subscribes from the slot on. The tables have been copied, and large transactions arrive in one piece. */
export async function createSubscription(
  region: AdminConnection,
  name: string,
  primaryUrl: string,
  isFailover: boolean,
): Promise<void> {
  await runUnlogged(
    region,
    `CREATE SUBSCRIPTION ${subscription} CONNECTION ${literal(primaryUrl)} PUBLICATION ${publication}
     WITH (slot_name = ${slotOf(name)}, create_slot = false, copy_data = false, streaming = off, ${waitsForStandbys}${isFailover ? ', failover = true' : ''})`,
  );
}

/**
 * Returns the URL of the subscription, or null if it does not exist.
 * @throws Error if the role may not read it
 */
export async function subscriptionUrlOf(region: AdminConnection): Promise<string | null> {
  if ((await subscriptionState(region)) === 'missing') return null;
  const [row] = await region
    .query<{ url: string }>(
      'SELECT subconninfo AS url FROM pg_subscription JOIN pg_database ON pg_database.oid = subdbid WHERE subname = $1 AND datname = current_database()',
      [subscription],
    )
    .catch((error: unknown) => {
      if (!isInsufficientPrivilege(error)) throw error;
      throw new Error('The region: only a superuser can read the URL of the subscription. Add --subscription-url.');
    });
  return row!.url;
}

/** Enables a subscription whose slot exists, with the given URL if there is one. Adds tables that the publication has got since, and copies their rows. */
export async function renewSubscription(region: AdminConnection, primaryUrl: string | undefined): Promise<void> {
  if (primaryUrl !== undefined)
    await runUnlogged(region, `ALTER SUBSCRIPTION ${subscription} CONNECTION ${literal(primaryUrl)}`);
  await region.query(`ALTER SUBSCRIPTION ${subscription} SET (${waitsForStandbys})`);
  await region.query(`ALTER SUBSCRIPTION ${subscription} ENABLE`);
  await region.query(`ALTER SUBSCRIPTION ${subscription} REFRESH PUBLICATION`);
}

/** Drops the subscription without its slot, so that the primary need not answer. Returns whether there was one. */
export async function dropSubscription(region: AdminConnection): Promise<boolean> {
  if ((await subscriptionState(region)) === 'missing') return false;
  await region.query(`ALTER SUBSCRIPTION ${subscription} DISABLE`);
  await region.query(`ALTER SUBSCRIPTION ${subscription} SET (slot_name = NONE)`);
  await region.query(`DROP SUBSCRIPTION ${subscription}`);
  return true;
}

/** Returns whether a right is missing (SQLSTATE insufficient_privilege). */
const isInsufficientPrivilege = (error: unknown): boolean =>
  ((error as Error).cause as { code?: string } | undefined)?.code === '42501';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
