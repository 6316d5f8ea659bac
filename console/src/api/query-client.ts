import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error';

/** Returns whether a request that failed so often is sent again. */
export const retryUpTo =
  (max: number) =>
  (failures: number, error: Error): boolean =>
    error instanceof ApiError && error.isTemporary && failures < max;

const retry = retryUpTo(6);

/** Waits as long as the service asks, and otherwise twice as long each time. */
const retryDelay = (failures: number, error: Error): number => {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  return asked ?? Math.min(1000 * 2 ** failures, 30_000);
};

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, refetchOnWindowFocus: false, retry, retryDelay },
    // Creations carry an idempotency key and changes a version, so sending them again is safe.
    mutations: { retry, retryDelay },
  },
});
