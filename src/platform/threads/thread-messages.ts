import type { SentError } from './sent-error';

/** Messages to a thread. Each call has a number. */
export type ToThread =
  | { kind: 'call'; call: number; name: string; argument: unknown; hasChunks: boolean }
  /** The next bytes of a call; null after the last ones. */
  | { kind: 'chunk'; call: number; bytes: Uint8Array | null }
  /** The bytes of a call end with an error, which the caller knows. */
  | { kind: 'broken'; call: number }
  /** No call follows. */
  | { kind: 'close' };

/** Messages from a thread. */
export type FromThread =
  /** Asks for the next bytes of a call, so that no others wait in memory. */
  | { kind: 'wanted'; call: number }
  | { kind: 'done'; call: number; result: unknown }
  | { kind: 'failed'; call: number; error: SentError }
  /** The thread could not start. */
  | { kind: 'unusable'; error: SentError };
