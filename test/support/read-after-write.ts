import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Changes, ChangeListener } from '../../src/platform/change-notifications/change-listener';
import type { TestDatabase } from './database';
import { eventually } from './eventually';

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
  const markers = new Set<unknown>();
  listener.onChanges((changes: Changes & { marker?: unknown }) => markers.delete(changes.marker));
  let hasNewWrites = false;
  /** PostgreSQL sends no notification of the connection between BEGIN and COMMIT. */
  let inTransaction = false;
  const receiveMarker = async (): Promise<void> => {
    hasNewWrites = false;
    const marker = randomUUID();
    markers.add(marker);
    await database.query("SELECT pg_notify('signpost_changes', $1)", [JSON.stringify({ marker })]);
    // A listener without a connection receives nothing, and its caches are not used.
    await eventually(() => !markers.has(marker) || !listener.current);
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
      query: async <Row>(sql: string, values?: unknown[]) => {
        const rows = await database.query<Row>(sql, values);
        if (sql.startsWith('BEGIN')) inTransaction = true;
        if (/^(COMMIT|ROLLBACK)/.test(sql)) inTransaction = false;
        if (!/^\s*SELECT/i.test(sql)) noteWrite();
        return rows;
      },
    },
  };
}
