import { Module } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { rateLimitWindowMs } from '../rate-limit/rate-limit';
import { RateLimitModule } from '../rate-limit/rate-limit.module';
import { type CountProbe, ProbeLimits } from './probe-limits';
import { ProbeSettings } from './probe-settings';
import { provide } from '../../shared/provide';

const countProbesIn =
  (storage: ThrottlerStorage, { perMinute }: ProbeSettings): CountProbe =>
  async (accountId) => {
    const window = rateLimitWindowMs;
    const counted = await storage.increment(`probe:${accountId}`, window, perMinute, window, 'default');
    return { probes: counted.totalHits, timeToExpireMs: counted.timeToExpire };
  };

/** Provides the limits that all probes of the process share. */
@Module({
  imports: [RateLimitModule],
  providers: [
    provide(
      ProbeLimits,
      [ThrottlerStorage, ProbeSettings],
      (storage: ThrottlerStorage, settings) => new ProbeLimits(countProbesIn(storage, settings), settings),
    ),
  ],
  exports: [ProbeLimits],
})
export class ProbeLimitsModule {}
