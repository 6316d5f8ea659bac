import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '../../shared/clock';
import { Log } from '../observability/log';
import { Metrics } from '../observability/metrics';
import { MetricsModule } from '../observability/metrics.module';
import { InMemoryRateLimitStorage } from './in-memory-rate-limit-storage';
import { RateLimitSettings } from './rate-limit';
import { RedisRateLimitStorage } from './redis-rate-limit-storage';
import { provide, provideClass } from '../../shared/provide';

/** Provides the storage that counts requests; `RedisRateLimitStorage` is null if requests are counted in the process. */
@Module({
  imports: [MetricsModule],
  providers: [
    provideClass(InMemoryRateLimitStorage, [Clock]),
    provide(
      RedisRateLimitStorage,
      [RateLimitSettings, InMemoryRateLimitStorage, Log, Metrics],
      ({ redisUrl }, local, log, metrics: Metrics | null) => {
        const redis =
          redisUrl === undefined ? null : new RedisRateLimitStorage(redisUrl, local, (message) => log.warn(message));
        redis?.watchedBy(metrics);
        return redis;
      },
    ),
    provide(
      ThrottlerStorage,
      [RedisRateLimitStorage, InMemoryRateLimitStorage],
      (redis: RedisRateLimitStorage | null, local) => redis ?? local,
    ),
  ],
  exports: [ThrottlerStorage, RedisRateLimitStorage],
})
export class RateLimitModule implements OnApplicationShutdown {
  constructor(@Inject(RedisRateLimitStorage) private readonly redis: RedisRateLimitStorage | null) {}

  onApplicationShutdown(): void {
    this.redis?.close();
  }
}
