import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { ThrottlerModule, type ThrottlerStorage } from '@nestjs/throttler';
import { ApiKeysModule } from '../api-keys/api-keys.module';
import { ProjectsModule } from '../projects/projects.module';
import { ErrorFilter } from './error-filter';
import { guardsInOrder } from './guards';
import { Log } from '../../platform/observability/log';
import { rateLimitWindow } from '../../platform/rate-limit/rate-limit';
import { StrictValidationPipe } from '../kit/strict-validation.pipe';
import { RouteTable } from './route-table';

/** What every request of the management API passes: guards, input, and errors on the way out. */
@Module({})
export class HttpModule {
  static with(settings: { rateLimitPerMinute: number; rateLimitStorage: ThrottlerStorage }): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      imports: [
        DiscoveryModule,
        ApiKeysModule,
        ProjectsModule,
        ThrottlerModule.forRoot({
          throttlers: [{ ttl: rateLimitWindow, limit: settings.rateLimitPerMinute }],
          storage: settings.rateLimitStorage,
        }),
      ],
      providers: [
        RouteTable,
        ...guardsInOrder,
        { provide: APP_PIPE, useClass: StrictValidationPipe },
        { provide: APP_FILTER, useFactory: (log: Log) => new ErrorFilter(log.logger), inject: [Log] },
      ],
      exports: [RouteTable],
    };
  }
}
