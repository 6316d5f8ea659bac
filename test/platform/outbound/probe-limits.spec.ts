import type { ThrottlerStorage } from '@nestjs/throttler';
import { maxConcurrentProbes, ProbeLimits, type TooManyProbes } from '../../../src/platform/outbound/probe-limits';

let counts: Map<string, number>;
let limits: ProbeLimits;
beforeEach(() => {
  counts = new Map();
  const increment = async (key: string) => {
    const totalHits = (counts.get(key) ?? 0) + 1;
    counts.set(key, totalHits);
    return { totalHits, timeToExpire: 59_001 };
  };
  limits = new ProbeLimits({ increment } as unknown as ThrottlerStorage, { perMinute: 3 });
});

/** Starts a probe that runs until `end` is called. */
function startProbe(account: string): { ended: Promise<void>; end: () => void } {
  let end!: () => void;
  const running = new Promise<void>((resolve) => (end = resolve));
  return { ended: limits.run(account, () => running), end };
}

const refusal = (account: string) =>
  limits
    .run(account, () => Promise.resolve('probed'))
    .catch((error: unknown) => {
      const { code, details, retryAfterSeconds } = error as TooManyProbes;
      return { code, details, retryAfterSeconds };
    });

test('an account runs one probe at a time', async () => {
  const probe = startProbe('one');
  const refused = { code: 'RATE_LIMITED', details: { reason: 'concurrency' }, retryAfterSeconds: 11 };
  expect(await refusal('one')).toEqual(refused);
  expect(await refusal('other')).toBe('probed');
  probe.end();
  await probe.ended;
  expect(await refusal('one')).toBe('probed');
});

test('a process runs a limited number of probes at once', async () => {
  const probes = Array.from({ length: maxConcurrentProbes }, (_, at) => startProbe(`account-${at}`));
  expect(await refusal('other')).toMatchObject({ details: { reason: 'concurrency' } });
  probes[0]!.end();
  await probes[0]!.ended;
  expect(await refusal('other')).toBe('probed');
  for (const { end } of probes) end();
});

test('an account runs a limited number of probes per minute, and a failed one frees its place', async () => {
  await expect(limits.run('one', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  for (let run = 2; run <= 3; run++) expect(await refusal('one')).toBe('probed');
  const refused = { code: 'RATE_LIMITED', details: { reason: 'probes_per_minute' }, retryAfterSeconds: 60 };
  expect(await refusal('one')).toEqual(refused);
  expect(await refusal('other')).toBe('probed');
  counts.clear(); // the next window
  expect(await refusal('one')).toBe('probed');
});
