import type { QueryClient } from '@tanstack/react-query';
import type { Import } from 'signpost-client';
import { ApiError } from './api-error';
import { answerOf, api } from './client';
import { eventsOf } from './event-stream';
import { importQuery } from './import-queries';
import { pause } from './retries';

/** A stream ends after a minute, or when its process stops. */
const reconnectDelayMs = 500;
const retryDelayMs = 5000;

/**
 * Keeps an import in the query cache up to date until its dry run or its run ends. While there is no stream of events, the
 * import is read every few seconds. It goes on after each failure, because the caller stops it when the import cannot be read.
 */
export async function followImport(
  client: QueryClient,
  { projectId, importId }: { projectId: string; importId: string },
  signal: AbortSignal,
): Promise<void> {
  const query = importQuery(projectId, importId);
  while (!signal.aborted) {
    try {
      for await (const { name, job } of importEvents(projectId, importId, signal)) {
        if (signal.aborted) return;
        client.setQueryData(query.queryKey, job);
        if (name === 'done') return await onEnd(client, projectId);
      }
      await pause(reconnectDelayMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      // The page shows at once why the import cannot be read. If only its stream is refused, it is read now and then.
      const isPermanent = error instanceof ApiError && error.isPermanent;
      if (isPermanent) await client.invalidateQueries({ queryKey: query.queryKey });
      await pause((error instanceof ApiError ? error.retryAfterMs : undefined) ?? retryDelayMs, signal);
      if (!isPermanent) await client.invalidateQueries({ queryKey: query.queryKey });
    }
  }
}

/** Reads again what a run has changed: links, tags, statistics and the use of quotas. */
async function onEnd(client: QueryClient, projectId: string): Promise<void> {
  await client.invalidateQueries({ queryKey: ['project', projectId] });
  await client.invalidateQueries({ queryKey: ['account'] });
}

/** Reads a stream of events. `EventSource` cannot send the key of the session. */
async function* importEvents(
  projectId: string,
  importId: string,
  signal: AbortSignal,
): AsyncGenerator<{ name: string; job: Import }> {
  const stream: ReadableStream<Uint8Array> = await answerOf(
    api.GET('/projects/{projectId}/imports/{importId}/events', {
      params: { path: { projectId, importId } },
      parseAs: 'stream',
      signal,
    }),
  );
  for await (const { name, data } of eventsOf(stream)) yield { name, job: JSON.parse(data) as Import };
}
