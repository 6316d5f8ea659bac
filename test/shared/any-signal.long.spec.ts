import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { anySignal } from '../../src/shared/any-signal';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const never = (): AbortSignal => new AbortController().signal;

/** Returns the name of the reason; null if the signal does not abort within five seconds. */
async function reasonOf(signal: AbortSignal): Promise<string | null> {
  const tooLate = new AbortController();
  const aborted = once(signal, 'abort').then(() => (signal.reason as Error).name);
  try {
    return await Promise.race([aborted, delay(5000, null, { signal: tooLate.signal })]);
  } finally {
    tooLate.abort();
  }
}

it.each([0, 1])('aborts by the time-out in place %i, although nothing else holds it', async (place) => {
  const sources = [never(), never()];
  sources[place] = AbortSignal.timeout(100);
  const combined = anySignal(...sources);
  sources.length = 0;
  const reason = reasonOf(combined);
  // The garbage of one turn is collected in a later one.
  for (let turn = 0; turn < 5; turn++) {
    await delay(1);
    collectGarbage();
  }
  expect(await reason).toBe('TimeoutError');
});

it('aborts by the first of its sources, with its reason', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const combined = anySignal(first.signal, second.signal);
  expect(combined.aborted).toBe(false);
  second.abort(new Error('second'));
  first.abort(new Error('first'));
  expect(combined.reason).toEqual(new Error('second'));
});

it('is aborted if a source is', () => {
  expect(anySignal(never(), AbortSignal.abort('before')).reason).toBe('before');
});
