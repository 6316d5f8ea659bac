import { missingMigrations } from '../platform/schema/schema-state';
import { AdminConnection, lacksTable } from './admin-connection';
import { findRegion, type Region } from './region';
import { copyReplicatedTables, replicatedTables } from './region-copy';
import { findRegistered, register } from './region-registry';
import { createSlot, dropSlot, ensurePublication, refuseSlotOfOtherDatabase, slotState } from './replication';
import {
  checkSubscriptionUrl,
  detachSubscription,
  renewSubscription,
  replaceSubscription,
  subscriptionState,
  subscriptionUrlOf,
} from './subscription';

export interface AddOptions {
  name: string;
  /**
   * The URL by which the PostgreSQL of the region reaches the primary; undefined for that of its subscription, or
   * `PRIMARY_DATABASE_URL` if the region is new.
   */
  subscriptionUrl: string | undefined;
  isRebuild: boolean;
}

type Request = AddOptions & { primaryUrl: string };

/** Slots that standbys keep exist since PostgreSQL 17. */
const failoverSlotsSince = 170_000;

/**
 * Makes the database of the region follow the primary, and repairs what is missing. It may be interrupted at any point and run again.
 * @throws Error with the side that refuses, and the action
 */
export async function addRegion(
  primary: AdminConnection,
  region: AdminConnection,
  request: Request,
): Promise<Record<string, unknown>> {
  const { name, primaryUrl } = request;
  await refuseUnsuitable(primary, region);
  const known = await findRegion((sql) => region.query<Region>(sql));
  await refuseOtherDatabase(primary, region, name, known);
  // Before the check of the URL, which reads the publication.
  await ensurePublication(primary);
  const tables = await replicatedTables(primary);
  if (!request.isRebuild && (await isReplicating(primary, region, name, known))) {
    if (request.subscriptionUrl !== undefined) await checkSubscriptionUrl(region, request.subscriptionUrl, tables);
    await region.query('SELECT create_region_triggers()');
    const { code } = await register(primary, name, known);
    await renewSubscription(region, request.subscriptionUrl);
    return { region: { name, code, state: 'kept' } };
  }
  const subscriptionUrl = await newSubscriptionUrl(region, known, request);
  await checkSubscriptionUrl(region, subscriptionUrl, tables);
  // The snapshot of the slot is valid while this connection is open. The subscription continues exactly there.
  const replication = await AdminConnection.open('primary', primaryUrl, true);
  try {
    return { region: await rebuild({ primary, region, replication }, { name, known, subscriptionUrl }) };
  } finally {
    await replication.end();
  }
}

/** Returns whether the region continues without a copy, once its subscription is enabled. */
async function isReplicating(
  primary: AdminConnection,
  region: AdminConnection,
  name: string,
  known: Region | null,
): Promise<boolean> {
  // The slot of another database has passed changes that this one lacks.
  if (known === null || (await findRegistered(primary, name))?.writer !== known.writer) return false;
  const [slot, subscription] = [await slotState(primary, name), await subscriptionState(region)];
  return (slot === 'active' || slot === 'inactive') && subscription !== 'missing' && subscription !== 'detached';
}

/**
 * Returns the URL of the subscription that is created.
 * @throws Error if a region that is known has lost it
 */
async function newSubscriptionUrl(region: AdminConnection, known: Region | null, request: Request): Promise<string> {
  const url = request.subscriptionUrl ?? (await subscriptionUrlOf(region));
  if (url !== null) return url;
  // The role of the command owns the tables of the primary, and superusers of the region can read the subscription.
  if (known) throw new Error('The region: its subscription is missing, and with it the URL. Add --subscription-url.');
  return request.primaryUrl;
}

interface Connections {
  primary: AdminConnection;
  region: AdminConnection;
  replication: AdminConnection;
}

interface Rebuild {
  name: string;
  known: Region | null;
  subscriptionUrl: string;
}

/** Copies the tables at a new slot, and subscribes from there. A failure leaves a detached subscription with its URL. */
async function rebuild(
  { primary, region, replication }: Connections,
  { name, known, subscriptionUrl }: Rebuild,
): Promise<Record<string, unknown>> {
  await region.query('SELECT create_region_triggers()');
  await detachSubscription(region);
  await dropSlot(primary, name);
  const registered = await register(primary, name, known);
  const isFailover =
    (await versionOf(primary)) >= failoverSlotsSince && (await versionOf(region)) >= failoverSlotsSince;
  const snapshot = await createSlot(replication, name, isFailover);
  const copied = await copyReplicatedTables(primary, region, snapshot, async () => {
    await identify(region, registered);
    await replaceSubscription(region, name, subscriptionUrl, isFailover);
  }).catch(async (error: unknown) => {
    // The primary would keep its write-ahead log for a slot that nobody reads.
    await primary
      .query('ROLLBACK')
      .then(() => dropSlot(primary, name))
      .catch(() => {});
    throw error;
  });
  for (const table of Object.keys(copied)) await region.query(`ANALYZE ${table}`);
  return { name, code: registered.code, state: known ? 'rebuilt' : 'added', tables: copied };
}

/** @throws Error if the servers cannot replicate */
async function refuseUnsuitable(primary: AdminConnection, region: AdminConnection): Promise<void> {
  if ((await versionOf(primary)) < 150_000) throw new Error('The primary: PostgreSQL 15 or newer is required');
  const [settings] = await primary.query<{ wal_level: string }>("SELECT current_setting('wal_level') AS wal_level");
  if (settings!.wal_level !== 'logical')
    throw new Error(
      `The primary: wal_level is ${settings!.wal_level}. Set wal_level = logical and restart PostgreSQL.`,
    );
  const inPrimary = await migrationsOf(primary);
  if (inPrimary === null)
    throw new Error(
      'The primary: the database of PRIMARY_DATABASE_URL has no tables. Correct the URL, or run the program migrate there (node dist/migrate.js).',
    );
  const missing = await missingMigrations(() => Promise.resolve(inPrimary));
  if (missing.length > 0)
    throw new Error(`The primary: it lacks the migrations ${missing.join(', ')}. Upgrade the primary first.`);
  const inRegion = await migrationsOf(region);
  if (inRegion === null)
    throw new Error(
      'The region: the database of DATABASE_URL has no tables. Run the program migrate with the settings of the region (node dist/migrate.js).',
    );
  const migrated = new Set(inRegion.map(({ name }) => name));
  const ahead = inPrimary.filter(({ name }) => !migrated.has(name)).map(({ name }) => name);
  if (ahead.length > 0)
    throw new Error(
      `The region: it lacks the migrations ${ahead.join(', ')}. Run the program migrate (node dist/migrate.js) and this command of the primary's release.`,
    );
}

function migrationsOf(side: AdminConnection): Promise<{ name: string }[] | null> {
  return side.query<{ name: string }>('SELECT name FROM schema_migrations').catch((error: unknown) => {
    if (!lacksTable(error)) throw error;
    return null;
  });
}

/** @throws Error if a database has another task, because its rows would be replaced */
async function refuseOtherDatabase(
  primary: AdminConnection,
  region: AdminConnection,
  name: string,
  known: Region | null,
): Promise<void> {
  const [other] = await primary.query<{ name: string }>('SELECT name FROM this_region');
  if (other) throw new Error(`The primary: PRIMARY_DATABASE_URL is the database of the region ${other.name}`);
  if (known && known.name !== name)
    throw new Error(`The region: the database of DATABASE_URL is the region ${known.name}, not ${name}`);
  const [content] = await region.query<{ exists: boolean }>('SELECT EXISTS (SELECT FROM projects) AS exists');
  if (!known && content!.exists)
    throw new Error('The region: the database of DATABASE_URL has projects and is no region. Use an empty database.');
  await refuseSlotOfOtherDatabase(primary, name);
  const registered = await findRegistered(primary, name);
  if (registered && registered.writer !== known?.writer && (await slotState(primary, name)) === 'active')
    throw new Error(
      `The primary: another database is the region ${name}. Remove that one first, or choose another name.`,
    );
}

async function identify(region: AdminConnection, { code, name, writer }: Region): Promise<void> {
  await region.query('DELETE FROM this_region');
  await region.query('INSERT INTO this_region (code, name, writer) VALUES ($1, $2, $3)', [code, name, writer]);
}

async function versionOf(connection: AdminConnection): Promise<number> {
  const [row] = await connection.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  return row!.version;
}
