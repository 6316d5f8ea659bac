import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '../../shared/clock';
import { Log } from '../observability/log';
import { Metrics } from '../observability/metrics';
import { MetricsModule } from '../observability/metrics.module';
import { InMemoryRateLimitStorage } from './in-memory-rate-limit-storage';
import { RateLimitSettings } from './rate-limit';
import { RedisRateLimitStorage } from './redis-rate-limit-storage';

/** Provides the storage that counts requests; `RedisRateLimitStorage` is null if requests are counted in the process. */
@Module({
  imports: [MetricsModule],
  providers: [
    {
      provide: InMemoryRateLimitStorage,
      useFactory: (clock: Clock) => new InMemoryRateLimitStorage(clock),
      inject: [Clock],
    },
    {
      provide: RedisRateLimitStorage,
      useFactory: (
        { redisUrl }: RateLimitSettings,
        local: InMemoryRateLimitStorage,
        log: Log,
        metrics: Metrics | null,
      ) => {
        const redis =
          redisUrl === undefined ? null : new RedisRateLimitStorage(redisUrl, local, (message) => log.warn(message));
        if (redis) metrics?.watchRateLimits(redis);
        return redis;
      },
      inject: [RateLimitSettings, InMemoryRateLimitStorage, Log, Metrics],
    },
    {
      provide: ThrottlerStorage,
      useFactory: (redis: RedisRateLimitStorage | null, local: InMemoryRateLimitStorage) => redis ?? local,
      inject: [RedisRateLimitStorage, InMemoryRateLimitStorage],
    },
  ],
  exports: [ThrottlerStorage, RedisRateLimitStorage],
})
export class RateLimitModule implements OnApplicationShutdown {
  constructor(@Inject(RedisRateLimitStorage) private readonly redis: RedisRateLimitStorage | null) {}

  onApplicationShutdown(): void {
    this.redis?.close();
  }
}
