import type { CloudEvent } from 'signpost-client';
import { ApiError } from './api-error';
import { answerOf, api } from './client';
import { eventsOf } from './event-stream';
import { pause } from './retries';

/** A stream ends after five minutes, or when its process stops. */
const reconnectDelayMs = 500;
const retryDelayMs = 5000;

/**
 * Passes on the events of a project as they happen, and connects again where a stream has ended.
 * @param onState gets the error while there is no stream, and null once there is one
 */
export async function followProject(
  projectId: string,
  onEvent: (event: CloudEvent) => void,
  onState: (error: Error | null) => void,
  signal: AbortSignal,
): Promise<void> {
  let last: string | undefined;
  while (!signal.aborted) {
    try {
      const stream: ReadableStream<Uint8Array> = await answerOf(
        api.GET('/projects/{projectId}/events/stream', {
          params: { path: { projectId }, header: { ...(last !== undefined && { 'Last-Event-ID': last }) } },
          parseAs: 'stream',
          signal,
        }),
      );
      onState(null);
      for await (const { id, data } of eventsOf(stream)) {
        last = id ?? last;
        if (data !== '') onEvent(JSON.parse(data) as CloudEvent);
      }
      await pause(reconnectDelayMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      onState(error as Error);
      await pause((error instanceof ApiError ? error.retryAfterMs : undefined) ?? retryDelayMs, signal);
    }
  }
}
