import { randomUUID } from 'node:crypto';
import type { Arguments } from './arguments.js';
import { UsageFailure } from './failures.js';

/**
 * Returns the key of `--idempotency-key`, or a random one.
 * @param max characters, which are fewer than the 255 of the service if the command appends some
 * @throws UsageFailure if no header can have the key
 */
export function readIdempotencyKey(args: Arguments, max = 255): string {
  const key = args.text('idempotency-key');
  if (key === undefined) return randomUUID();
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > max)
    throw new UsageFailure(`--idempotency-key must have 1 to ${max} visible ASCII characters.`);
  return key;
}
