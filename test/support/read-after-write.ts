import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Changes, ChangeListener } from '../../src/platform/change-notifications/change-listener';
import type { TestDatabase } from './database';
import { setTimeout as sleep } from 'node:timers/promises';

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Delays each read request until `listener` has received the notification of every earlier write. On a busy machine a
 * notification may take longer than a test expects; `cache-invalidation.long.spec.ts` measures the promised second.
 *
 * PostgreSQL delivers notifications in commit order, so a marker arrives after all earlier changes. Call `noteWrite` after each
 * write that is not a request to the server. The returned `database` calls it.
 */
export function readAfterWrite(
  server: Server,
  listener: ChangeListener,
  database: TestDatabase,
): { database: TestDatabase; noteWrite(): void } {
  const markers = new Map<unknown, () => void>();
  const received = (marker: unknown): void => {
    markers.get(marker)?.();
    markers.delete(marker);
  };
  listener.onChanges((changes: Changes & { marker?: unknown }) => received(changes.marker));
  let hasNewWrites = false;
  /** PostgreSQL sends no notification of the connection between BEGIN and COMMIT. */
  let inTransaction = false;
  const receiveMarker = async (): Promise<void> => {
    hasNewWrites = false;
    const marker = randomUUID();
    const arrival = new Promise<void>((resolve) => markers.set(marker, resolve));
    await database.query("SELECT pg_notify('signpost_changes', $1)", [JSON.stringify({ marker })]);
    await Promise.race([arrival, endOfConnection(marker)]);
  };
  /** A listener without a connection receives nothing, and its caches are not used. */
  const endOfConnection = async (marker: unknown): Promise<void> => {
    while (markers.has(marker) && listener.current) await sleep(20, undefined, { ref: false });
    markers.delete(marker);
  };
  let pending: Promise<void> | undefined;
  const untilWritesReceived = (): Promise<void> | undefined => {
    if (hasNewWrites && !inTransaction) {
      const current = receiveMarker()
        .catch(() => {})
        .finally(() => {
          if (pending === current) pending = undefined;
        });
      pending = current;
    }
    return pending;
  };

  const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isRead = readMethods.has(request.method!);
    if (!isRead) response.once('finish', () => (hasNewWrites = true));
    const writesReceived = isRead ? untilWritesReceived() : undefined;
    if (writesReceived) void writesReceived.then(() => handle(request, response));
    else handle(request, response);
  });

  const noteWrite = (): void => void (hasNewWrites = true);
  return {
    noteWrite,
    database: {
      ...database,
      query: async <Row>(sql: string, values?: unknown[], name?: string) => {
        const rows = await database.query<Row>(sql, values, name);
        if (sql.startsWith('BEGIN')) inTransaction = true;
        if (/^(COMMIT|ROLLBACK)/.test(sql)) inTransaction = false;
        if (!/^\s*SELECT/i.test(sql)) noteWrite();
        return rows;
      },
    },
  };
}
