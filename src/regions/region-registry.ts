import { newId } from '../shared/id';
import type { AdminConnection } from './admin-connection';
import type { Region } from './region';
import { type SlotState, stateOfSlot } from './replication';

/** Tokens of deferred links have four bits for the code, and the primary has 0. */
const maxRegions = 15;

export async function findRegistered(primary: AdminConnection, name: string): Promise<Region | null> {
  const [row] = await primary.query<Region>('SELECT code, name, writer FROM regions WHERE name = $1', [name]);
  return row ?? null;
}

/**
 * Registers a region, or the new database of a region.
 * @param known the region as its database knows it; null for a new database, which numbers its deliveries from 1 as another writer
 * @throws Error if the primary has as many regions as tokens can name
 */
export async function register(primary: AdminConnection, name: string, known: Region | null): Promise<Region> {
  const writer = known?.writer ?? newId();
  const [updated] = await primary.query<Region>(
    'UPDATE regions SET writer = $2 WHERE name = $1 RETURNING code, name, writer',
    [name, writer],
  );
  if (updated) return updated;
  // Tokens of the region have its code, so a primary that has lost the region gives it the same one if possible.
  const [inserted] = await primary.query<Region>(
    `INSERT INTO regions (code, name, writer)
     SELECT free, $1, $2::uuid FROM generate_series(1, ${maxRegions}) AS free
     WHERE free NOT IN (SELECT code FROM regions) ORDER BY free <> $3, free LIMIT 1
     RETURNING code, name, writer`,
    [name, writer, known?.code ?? 0],
  );
  if (inserted) return inserted;
  throw new Error(`The primary: it has ${maxRegions} regions, which is the largest number. Remove one first.`);
}

export async function unregister(primary: AdminConnection, name: string): Promise<boolean> {
  const rows = await primary.query('DELETE FROM regions WHERE name = $1 RETURNING code', [name]);
  return rows.length > 0;
}

interface ListedRegion {
  name: string;
  /** Null if the primary does not know the region. */
  code: number | null;
  slot: SlotState | 'unregistered';
  /** Write-ahead log that the primary keeps for the region. */
  retained_wal_bytes: number | null;
  last_contact_at: Date | null;
}

/**
 * Lists the regions of the primary with their slots, and then the slots that belong to no region. These have names that `region remove`
 * accepts, so that it can drop each of them.
 */
export const listRegions = (primary: AdminConnection): Promise<ListedRegion[]> =>
  primary.query<ListedRegion>(`SELECT coalesce(regions.name, substr(slot_name, length('signpost_') + 1)) AS name, code,
      CASE WHEN regions.name IS NULL THEN 'unregistered' WHEN slot_name IS NULL THEN 'missing' ELSE ${stateOfSlot} END AS slot,
      pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 AS retained_wal_bytes, heartbeat_at AS last_contact_at
    FROM regions FULL JOIN (
      SELECT *, slot_name::text AS name FROM pg_replication_slots
      WHERE database = current_database() AND NOT temporary AND slot_name ~ '^signpost_[a-z][a-z0-9_]{0,29}$'
    ) AS slot ON slot.name = 'signpost_' || regions.name
    ORDER BY regions.name IS NULL, 1`);

/** Returns the entry of a region that the primary does not know. */
export const unregistered = (name: string): ListedRegion => ({
  name,
  code: null,
  slot: 'unregistered',
  retained_wal_bytes: null,
  last_contact_at: null,
});
