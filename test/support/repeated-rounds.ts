import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { eventually } from './eventually';
import type { Program } from './process';

/** A product that fails for another reason than a busy machine fails each time. */
const maxRounds = 10;

/** An answer was 503, which a database that stands still for longer than the time limits of requests causes too. */
export class Unavailable extends Error {}

/**
 * Runs a round again after an `Unavailable`, up to `maxRounds` times. Other errors end it immediately.
 * @throws Unavailable if no round passes
 */
export async function untilAvailable<T>(round: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await round();
    } catch (error) {
      if (attempt === maxRounds || !(error instanceof Unavailable)) throw error;
      console.info(`${error.message}; round ${attempt} is repeated`);
    }
}

/** Returns the answers. @throws Unavailable if one of them is 503 */
export function available<T extends { status: number; text: string }>(answers: T[]): T[] {
  const refused = answers.find(({ status }) => status === 503);
  if (refused) throw new Unavailable(`An answer was 503: ${refused.text}`);
  return answers;
}

/**
 * Runs a round again if it fails after this process stood still for longer than `maxStallMs`, up to `maxRounds` times. Other errors
 * end it immediately.
 */
export async function withoutStalls<T>(maxStallMs: number, round: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const delays = monitorEventLoopDelay();
    delays.enable();
    try {
      return await round();
    } catch (error) {
      const stallMs = delays.max / 1e6;
      if (attempt === maxRounds || stallMs <= maxStallMs) throw error;
      console.info(`the process stood still for ${stallMs.toFixed(0)} ms; round ${attempt} is repeated`);
    } finally {
      delays.disable();
    }
  }
}

/** Sends a request until its answer is not 503, for the preparations of a test with production limits. */
export const whenAvailable = <T extends { status: number }>(request: () => Promise<T>): Promise<T> =>
  eventually(async () => {
    const answer = await request();
    return answer.status !== 503 && answer;
  });

/** Creates a resource, again with the same `Idempotency-Key` after an answer 503. Returns it. */
export async function createWhenAvailable(
  service: Program,
  path: string,
  key: string,
  body: object,
): Promise<{ id: string; [field: string]: unknown }> {
  const headers = { 'Idempotency-Key': randomUUID() };
  const { status, text, json } = await whenAvailable(() => service.ask(path, { method: 'POST', key, body, headers }));
  if (status !== 201) throw new Error(`The answer to POST ${path} was ${status}: ${text}`);
  return json.data as { id: string };
}
