import { ApiError } from './api-error';

/** Returns whether a request that failed so often is sent again. */
export const retryUpTo =
  (max: number) =>
  (failures: number, error: Error): boolean =>
    error instanceof ApiError && error.isTemporary && failures < max;

/** Sends the request of a download again at most once, because it can take the service long. */
export const retryDownload = retryUpTo(1);

/** Waits as long as the service asks, and otherwise twice as long each time. */
export const retryDelay = (failures: number, error: Error): number => {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  return asked ?? Math.min(1000 * 2 ** failures, 30_000);
};

/** Sends a request, and sends it again after temporary failures. @throws the last failure, if there are more than `max` */
export async function withRetries<T>(send: () => Promise<T>, max: number): Promise<T> {
  const retry = retryUpTo(max);
  for (let failures = 0; ; failures++)
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Error) || !retry(failures, error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelay(failures, error)));
    }
}
