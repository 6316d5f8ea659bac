import { QueryClient } from '@tanstack/react-query';
import { retryDelay, retryUpTo } from './retries';

const retry = retryUpTo(6);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, refetchOnWindowFocus: false, retry, retryDelay },
    // Creations carry an idempotency key and changes a version, so sending them again is safe.
    mutations: { retry, retryDelay },
  },
});
