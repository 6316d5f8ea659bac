import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error';

const maxRetries = 6;

const shouldRetry = (failures: number, error: Error): boolean =>
  error instanceof ApiError && error.isTemporary && failures < maxRetries;

/** Waits as long as the service asks, and otherwise twice as long each time. */
const retryDelay = (failures: number, error: Error): number => {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  return asked ?? Math.min(1000 * 2 ** failures, 30_000);
};

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, refetchOnWindowFocus: false, retry: shouldRetry, retryDelay },
    // Creations carry an idempotency key and changes a version, so sending them again is safe.
    mutations: { retry: shouldRetry, retryDelay },
  },
});
