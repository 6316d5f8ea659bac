import { setTimeout as sleep } from 'node:timers/promises';
import { type AdminConnection, isInsufficientPrivilege } from './admin-connection';
import { endTimeoutMs, publication, slotOf } from './replication';

const subscription = 'signpost_region';

/** The subscription that checks a URL. It exists only in a transaction that is rolled back. */
const trial = 'signpost_region_check';

/** Selects a subscription by its name. All databases of a server share the catalog. */
const fromSubscription =
  'FROM pg_subscription JOIN pg_database ON pg_database.oid = subdbid WHERE subname = $1 AND datname = current_database()';

/** A subscription is `detached` from its slot while a rebuild runs, and after one that was interrupted. */
export type SubscriptionState = 'running' | 'stopped' | 'disabled' | 'detached' | 'missing';

export async function subscriptionState(region: AdminConnection): Promise<SubscriptionState> {
  const [row] = await region.query<{ attached: boolean; enabled: boolean; running: boolean }>(
    `SELECT subslotname IS NOT NULL AS attached, subenabled AS enabled, EXISTS (
       SELECT FROM pg_stat_subscription AS worker WHERE worker.subid = pg_subscription.oid AND worker.received_lsn IS NOT NULL
     ) AS running
     ${fromSubscription}`,
    [subscription],
  );
  if (!row) return 'missing';
  if (!row.attached) return 'detached';
  return row.enabled ? (row.running ? 'running' : 'stopped') : 'disabled';
}

/**
 * Makes replicated changes wait for synchronous standbys of the region, so that the primary keeps them until a standby has them. Unlike
 * other connections, a subscription does not wait by default.
 */
const waitsForStandbys = 'synchronous_commit = on';

/**
 * Keeps the following statements of the transaction out of the log of the region, because they contain a password. A failing statement is
 * logged by default. A role without the right to change what is logged runs them anyway.
 */
async function stopStatementLog(region: AdminConnection): Promise<void> {
  // A setting that is refused would end the transaction, so that the right is checked before.
  await region.query(
    `SELECT set_config(name, value, true)
     FROM (VALUES ('log_min_error_statement', 'panic'), ('log_statement', 'none'), ('log_min_duration_statement', '-1')) AS log (name, value)
     WHERE has_parameter_privilege(name, 'SET')`,
  );
}

/**
 * Makes the PostgreSQL of the region connect to the primary as a subscription does, and changes nothing.
 * @param tables that the publication must have
 * @throws Error if the URL, its password or a right is wrong
 */
export async function checkSubscriptionUrl(region: AdminConnection, url: string, tables: string[]): Promise<void> {
  await region.query('BEGIN');
  try {
    // The copy needs this right after the subscription is detached.
    await region.query('SET LOCAL session_replication_role = replica');
    await stopStatementLog(region);
    await region
      .query(
        `CREATE SUBSCRIPTION ${trial} CONNECTION ${literal(url)} PUBLICATION ${publication}
         WITH (slot_name = NONE, enabled = false, create_slot = false, copy_data = false)`,
      )
      .catch((error: Error) => {
        if (isInsufficientPrivilege(error)) throw error;
        throw new Error(
          `${error.message}. Nothing has changed. Add --subscription-url with a URL by which the region's PostgreSQL reaches the primary.`,
          { cause: error },
        );
      });
    const [published] = await region.query<{ tables: number }>(
      `SELECT count(*)::int AS tables FROM pg_subscription_rel WHERE srsubid = (SELECT pg_subscription.oid ${fromSubscription})`,
      [trial],
    );
    // PostgreSQL only warns about a publication that does not exist.
    if (published!.tables < tables.length)
      throw new Error(
        `The region: the URL of the subscription leads to another database than PRIMARY_DATABASE_URL, because the publication ${publication} is missing there. Nothing has changed. Add --subscription-url with a URL of the primary.`,
      );
  } finally {
    await region.query('ROLLBACK').catch(() => {}); // the connection is lost, and its transaction too
  }
}

/**
 * Subscribes from the slot on, instead of a detached subscription. It needs a transaction, so that a failure keeps that one and
 * its URL.
 */
export async function replaceSubscription(
  region: AdminConnection,
  name: string,
  primaryUrl: string,
  isFailover: boolean,
): Promise<void> {
  if ((await subscriptionState(region)) !== 'missing') await region.query(`DROP SUBSCRIPTION ${subscription}`);
  await stopStatementLog(region);
  // The tables have been copied, and large transactions arrive in one piece.
  await region.query(
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
    .query<{ url: string }>(`SELECT subconninfo AS url ${fromSubscription}`, [subscription])
    .catch((error: unknown) => {
      if (!isInsufficientPrivilege(error)) throw error;
      throw new Error('The region: only a superuser can read the URL of the subscription. Add --subscription-url.');
    });
  return row!.url;
}

/**
 * Enables a subscription whose slot exists, with the given URL if there is one. Adds tables that the publication has got since,
 * and copies their rows.
 */
export async function renewSubscription(region: AdminConnection, primaryUrl: string | undefined): Promise<void> {
  if (primaryUrl !== undefined) {
    await region.query('BEGIN');
    await stopStatementLog(region);
    await region.query(`ALTER SUBSCRIPTION ${subscription} CONNECTION ${literal(primaryUrl)}`);
    await region.query('COMMIT');
  }
  await region.query(`ALTER SUBSCRIPTION ${subscription} SET (${waitsForStandbys})`);
  await region.query(`ALTER SUBSCRIPTION ${subscription} ENABLE`);
  await region.query(`ALTER SUBSCRIPTION ${subscription} REFRESH PUBLICATION`);
}

/**
 * Separates the subscription from its slot, so that it applies no change and keeps its URL.
 * @throws Error if a change is still being applied
 */
export async function detachSubscription(region: AdminConnection): Promise<void> {
  if ((await subscriptionState(region)) === 'missing') return;
  await region.query(`ALTER SUBSCRIPTION ${subscription} DISABLE`);
  await endWorkers(region);
  await region.query(`ALTER SUBSCRIPTION ${subscription} SET (slot_name = NONE)`);
}

/** Ends the workers of a disabled subscription, because a change of theirs would be committed beside the copy. */
async function endWorkers(region: AdminConnection): Promise<void> {
  for (const giveUpAt = performance.now() + endTimeoutMs; performance.now() < giveUpAt; await sleep(100)) {
    const workers = await region.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_subscription WHERE pid IS NOT NULL AND subid = (SELECT pg_subscription.oid ${fromSubscription})`,
      [subscription],
    );
    if (workers.length === 0) return;
    for (const { pid } of workers)
      await region.query('SELECT pg_terminate_backend($1)', [pid]).catch((error: unknown) => {
        // A worker of a disabled subscription also ends by itself, after its transaction.
        if (!isInsufficientPrivilege(error)) throw error;
      });
  }
  throw new Error('The region: the subscription still applies a change. Run the command again.');
}

/** Drops the subscription without its slot, so that the primary need not answer. Returns whether there was one. */
export async function dropSubscription(region: AdminConnection): Promise<boolean> {
  if ((await subscriptionState(region)) === 'missing') return false;
  await region.query(`ALTER SUBSCRIPTION ${subscription} DISABLE`);
  await region.query(`ALTER SUBSCRIPTION ${subscription} SET (slot_name = NONE)`);
  await region.query(`DROP SUBSCRIPTION ${subscription}`);
  return true;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
