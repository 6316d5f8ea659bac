import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { rateLimitWindowMs } from '../rate-limit/rate-limit';
import { RateLimited } from '../rate-limit/rate-limit.errors';
import { ProbeSettings } from './probe-settings';

/** Probes that a process runs at once. Each has at most eight connections (`HostProbe`). */
export const maxConcurrentProbes = 4;

/** The time of the longest probe in seconds. */
const maxProbeSeconds = 11;

/** Refuses a probe. Details: `{ reason }`. */
export class TooManyProbes extends RateLimited {
  override readonly details: { reason: 'concurrency' | 'probes_per_minute' };

  constructor(reason: 'concurrency' | 'probes_per_minute', retryAfterSeconds: number) {
    const when = reason === 'concurrency' ? 'are running' : 'in this minute';
    super(retryAfterSeconds, `Too many probes of hosts ${when}`);
    this.details = { reason };
  }
}

/** Limits probes per account and per process, because a probe opens connections to hosts that its caller chooses. */
@Injectable()
export class ProbeLimits {
  readonly #accounts = new Set<string>();

  constructor(
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    @Inject(ProbeSettings) private readonly settings: Pick<ProbeSettings, 'perMinute'>,
  ) {}

  /** @throws TooManyProbes if the account, or the process, has too many probes */
  async run<T>(accountId: string, probe: () => Promise<T>): Promise<T> {
    if (this.#accounts.has(accountId) || this.#accounts.size >= maxConcurrentProbes)
      throw new TooManyProbes('concurrency', maxProbeSeconds);
    this.#accounts.add(accountId);
    try {
      await this.#count(accountId);
      return await probe();
    } finally {
      this.#accounts.delete(accountId);
    }
  }

  /** Counts a probe in the current window over all replicas. */
  async #count(accountId: string): Promise<void> {
    const { perMinute } = this.settings;
    const window = rateLimitWindowMs;
    const counted = await this.storage.increment(`probe:${accountId}`, window, perMinute, window, 'default');
    if (counted.totalHits > perMinute)
      throw new TooManyProbes('probes_per_minute', Math.max(1, Math.ceil(counted.timeToExpire / 1000)));
  }
}
