import type { FetchFunction } from './options.js';

export interface Answer {
  /** Null without an answer. */
  status: number | null;
  body: unknown;
  retryAfterMs: number;
}

const noAnswer: Answer = { status: null, body: null, retryAfterMs: 0 };

/** Sends JSON. Never rejects. */
export async function send(fetch: FetchFunction | undefined, url: string, body: object): Promise<Answer> {
  try {
    const request = fetch ?? (globalThis as { fetch?: FetchFunction }).fetch!;
    const headers = { 'Content-Type': 'application/json' };
    const response = await request(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const retryAfterMs = 1000 * Number(response.headers.get('Retry-After') ?? 0) || 0;
    // A body that breaks off is no answer; errors are decided by their status.
    return { status: response.status, body: response.status === 200 ? await response.json() : null, retryAfterMs };
  } catch {
    return noAnswer;
  }
}

/** Returns the value, or null after the time or a rejection. */
export const within = <T>(timeMs: number, value: T | Promise<T>): Promise<T | null> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), timeMs);
    const finish = (result: T | null) => {
      clearTimeout(timer);
      resolve(result);
    };
    Promise.resolve(value).then(finish, () => finish(null));
  });

/** Calls a function of the app or of its platform, whose error becomes a rejection. */
export const attempt = async <T>(call: () => T | Promise<T>): Promise<T> => call();
