import { Log } from '../platform/observability/log';
import { migrateIfNeeded } from '../platform/schema/migrations';
import { type OpenDatabase, openDatabase } from '../platform/schema/open-database';
import { BadSetting } from '../shared/bad-setting';
import { type AddOptions, addRegion } from './add-region';
import { AdminConnection, lacksTable } from './admin-connection';
import { findRegion, type Region } from './region';
import { findRegistered, listRegions } from './region-registry';
import { regionStatusOf } from './region-status';
import { handOver, refuseLoss, removeAtPrimary, removeInRegion } from './remove-region';

type Answer = Record<string, unknown>;

export interface RegionSettings {
  databaseUrl: string | undefined;
  databaseDirectUrl: string | undefined;
  dataDir: string;
  primaryDatabaseUrl: string | undefined;
  migrateOnStart: boolean;
}

/** Runs `region add`, with the settings of a process of the region. */
export function addCommand(settings: RegionSettings, options: AddOptions): Promise<Answer> {
  return withDatabase(settings, async (database, primaryUrl) => {
    if (primaryUrl === undefined)
      throw new BadSetting('PRIMARY_DATABASE_URL: is required by region add, with the other settings of a region');
    if (settings.migrateOnStart) await migrateIfNeeded(database.directUrl);
    return withConnection('primary', primaryUrl, (primary) =>
      withConnection('region', database.directUrl, async (region) => {
        await lock(primary, region);
        return addRegion(primary, region, { ...options, primaryUrl });
      }),
    );
  });
}

/** Runs `region status`: all regions of a primary, or this region with its lag. */
export function statusCommand(settings: RegionSettings): Promise<Answer> {
  return withDatabase(settings, async (database, primaryUrl) => {
    if (primaryUrl === undefined)
      return withConnection('primary', database.directUrl, async (primary) => ({
        regions: await listRegions(primary),
      }));
    return withConnection('region', database.directUrl, async (region) => {
      const known = await regionOf(region);
      const primary = await AdminConnection.open('primary', primaryUrl).catch(() => null);
      try {
        return { region: await regionStatusOf(primary, region, known) };
      } finally {
        await primary?.end();
      }
    });
  });
}

export interface RemoveOptions {
  name: string;
  /** Gives up clicks and tokens that cannot be handed over. */
  isForced: boolean;
}

/**
 * Runs `region remove`. With the settings of the primary, the database of the region may be gone. With those of the region, the primary
 * may be gone if the command is forced.
 */
export function removeCommand(settings: RegionSettings, { name, isForced }: RemoveOptions): Promise<Answer> {
  return withDatabase(settings, async (database, primaryUrl) => {
    if (primaryUrl === undefined)
      return withConnection('primary', database.directUrl, async (primary) => {
        await lock(primary, null);
        return { region: { name, ...(await removeAtPrimary(primary, name)), subscription: 'unknown' } };
      });
    return withConnection('region', database.directUrl, async (region) => {
      const primary = await AdminConnection.open('primary', primaryUrl).catch((error: Error) => {
        if (isForced) return null;
        throw new Error(`${error.message}. Nothing is removed. If the primary is gone for good, add --force.`);
      });
      try {
        await lock(primary, region);
        const known = await regionOf(region);
        if (known.name !== name) throw new Error(`The region: the database is the region ${known.name}, not ${name}`);
        const urls = { region: database.directUrl, primary: primaryUrl };
        // A lost database that was replaced, and came back: slot and registration are those of its successor.
        const registered = primary && (await findRegistered(primary, name).catch(unlessForced(isForced)));
        const isReplaced = registered !== null && registered.writer !== known.writer;
        // Forced, the database of the primary may be another one, or refuse to write.
        const handedOver = primary && (await handOver(known, urls).catch(unlessForced(isForced)));
        if (handedOver && !isForced) refuseLoss(handedOver, isReplaced);
        const removed = await removeInRegion(region);
        const atPrimary = isReplaced
          ? { slot: 'kept', registration: 'kept' }
          : primary
            ? await removeAtPrimary(primary, name)
            : { slot: 'unknown', registration: 'unknown' };
        const { undelivered_clicks, moved_tokens } = handedOver ?? {};
        return { region: { name, undelivered_clicks, moved_tokens, ...removed, ...atPrimary } };
      } finally {
        await primary?.end();
      }
    });
  });
}

/** Returns a handler of errors, which are thrown unless the command is forced. */
const unlessForced =
  (isForced: boolean) =>
  (error: unknown): null => {
    if (isForced) return null;
    throw error;
  };

async function withDatabase(
  settings: RegionSettings,
  work: (database: OpenDatabase, primaryUrl: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  const database = await openDatabase(settings, new Log('silent'));
  try {
    return await work(database, settings.primaryDatabaseUrl);
  } finally {
    await database.close();
  }
}

async function withConnection(
  side: 'primary' | 'region',
  url: string,
  work: (connection: AdminConnection) => Promise<Answer>,
): Promise<Answer> {
  const connection = await AdminConnection.open(side, url);
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

/**
 * Lets one command at a time change a region, on each side that it reaches. The locks are held until the connections end.
 * @throws Error if another command runs, or both URLs lead to the same database
 */
async function lock(primary: AdminConnection | null, region: AdminConnection | null): Promise<void> {
  if (primary && !(await primary.tryLock()))
    throw new Error('The primary: another command adds or removes a region. Try again later.');
  if (region && !(await region.tryLock()))
    throw new Error(
      'The region: DATABASE_URL and PRIMARY_DATABASE_URL lead to the same database, or another command runs',
    );
}

/** @throws Error if the database is no region */
async function regionOf(region: AdminConnection): Promise<Region> {
  const known = await findRegion((sql) => region.query<Region>(sql)).catch((error: unknown) => {
    if (!lacksTable(error)) throw error;
    return null;
  });
  if (!known) throw new Error('The region: the database of DATABASE_URL is no region');
  return known;
}
