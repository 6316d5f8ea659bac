import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../observability/log';
import { poolOptions } from '../postgres/connection';
import { isRefused, isUnavailable } from '../postgres/database-error';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres';
import { ResilientClient } from '../postgres/resilient-client';
import { explainTlsFault } from './tls-fault';

export interface OpenDatabase {
  url: string;
  /** The URL of the same database without a pooler in between. */
  directUrl: string;
  embedded: boolean;
  /** Releases the embedded server, which stops unless another process uses it. */
  close(): Promise<void>;
}

/** The longest wait for a database that is starting. */
const startTimeoutMs = 60_000;

/**
 * Waits for the configured database, or starts the embedded one if none is configured.
 * @throws Error if the database refuses the credentials, or is not reachable within a minute
 */
export async function openDatabase(
  settings: { databaseUrl: string | undefined; databaseDirectUrl: string | undefined; dataDir: string },
  log: Log,
): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined) {
    await untilReachable(databaseUrl, log);
    return {
      url: databaseUrl,
      directUrl: settings.databaseDirectUrl ?? databaseUrl,
      embedded: false,
      close: async () => {},
    };
  }
  const server = await startEmbeddedPostgres({
    dataDir,
    restart: true,
    log: (message) => log.log(message, 'embedded PostgreSQL'),
  });
  return { url: server.url, directUrl: server.url, embedded: true, close: () => server.stop() };
}

async function untilReachable(url: string, log: Log): Promise<void> {
  const giveUpAt = performance.now() + startTimeoutMs;
  for (;;) {
    const client = new ResilientClient(poolOptions(url, { max: 1, name: 'start' }));
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ version: number }>(
        "SELECT current_setting('server_version_num')::int AS version",
      );
      if (rows[0]!.version < 150_000) throw new Error('DATABASE_URL: PostgreSQL 15 or newer is required');
      return;
    } catch (error) {
      const { message } = error as Error;
      if (isRefused(error)) throw new Error(`DATABASE_URL: ${message}`, { cause: error });
      if (!isUnavailable(error)) throw explainTlsFault('DATABASE_URL', error);
      if (performance.now() > giveUpAt)
        throw new Error(`DATABASE_URL: not reachable for a minute: ${message}`, { cause: error });
      log.warn(`waiting for the database: ${message}`);
    } finally {
      await client.end().catch(() => {});
    }
    await sleep(1000);
  }
}
