import { ApiError } from './api-error';

/** The longest wait that a reader is asked for. A quota of stored answers is free again after an hour only. */
const maxWaitMs = 120_000;

/** Returns whether a request that failed so often is sent again. */
export const retryUpTo =
  (max: number) =>
  (failures: number, error: Error): boolean =>
    error instanceof ApiError && error.isTemporary && (error.retryAfterMs ?? 0) <= maxWaitMs && failures < max;

/** Sends the request of a download again at most once, because it can take the service long. */
export const retryDownload = retryUpTo(1);

/** Waits as long as the service asks, and otherwise twice as long each time. */
export const retryDelay = (failures: number, error: Error): number => {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  return asked ?? Math.min(1000 * 2 ** failures, 30_000);
};

/**
 * Sends a request, and sends it again after temporary failures, unless `signal` aborts.
 * @throws the last failure, if there are more than `max`; the reason of `signal`
 */
export async function withRetries<T>(send: () => Promise<T>, max: number, signal?: AbortSignal): Promise<T> {
  const retry = retryUpTo(max);
  for (let failures = 0; ; failures++) {
    signal?.throwIfAborted();
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Error) || !retry(failures, error)) throw error;
      await pause(retryDelay(failures, error), signal);
    }
  }
}

/** Waits, but not longer than until the signal aborts. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
