import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Changes, ChangeListener } from '../../src/platform/postgres/change-listener';
import type { TestDatabase } from './database';
import { eventually } from './eventually';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Delays each request that reads until `listener` has heard of every write that the service answered before. A busy machine may
 * take longer than a test between the commit and the notification; production promises a second, and `cache-invalidation.http.spec.ts`
 * measures it. PostgreSQL delivers notifications in commit order, so a marker comes after all changes before it. Call
 * `wrote` after each write that is no request to the server; `database` does.
 */
export function readAfterWrite(
  server: Server,
  listener: ChangeListener,
  database: TestDatabase,
): { database: TestDatabase; wrote(): void } {
  const markers = new Set<unknown>();
  listener.onChanges((changes: Changes & { marker?: unknown }) => markers.delete(changes.marker));
  let written = false;
  /** Between BEGIN and COMMIT no notification leaves the connection, a marker neither. */
  let inTransaction = false;
  const heard = async (): Promise<void> => {
    written = false;
    const marker = randomUUID();
    markers.add(marker);
    await database.query("SELECT pg_notify('signpost_changes', $1)", [JSON.stringify({ marker })]);
    // A listener without a connection hears nothing; what it remembered does not count then.
    await eventually(() => !markers.has(marker) || !listener.current);
  };
  let hearing: Promise<void> | undefined;
  const hearOfWrites = (): Promise<void> | undefined => {
    if (written && !inTransaction) {
      const now = heard()
        .catch(() => {})
        .finally(() => {
          if (hearing === now) hearing = undefined;
        });
      hearing = now;
    }
    return hearing;
  };

  const answering = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    for (const listen of answering) listen.call(server, request, response);
  };
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isRead = reading.has(request.method!);
    if (!isRead) response.once('finish', () => (written = true));
    const heardOfWrites = isRead ? hearOfWrites() : undefined;
    if (heardOfWrites) void heardOfWrites.then(() => answer(request, response));
    else answer(request, response);
  });

  const wrote = (): void => void (written = true);
  return {
    wrote,
    database: {
      ...database,
      query: async <Row>(sql: string, values?: unknown[]) => {
        const rows = await database.query<Row>(sql, values);
        if (sql.startsWith('BEGIN')) inTransaction = true;
        if (/^(COMMIT|ROLLBACK)/.test(sql)) inTransaction = false;
        if (!/^\s*SELECT/i.test(sql)) wrote();
        return rows;
      },
    },
  };
}
