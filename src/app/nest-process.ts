import 'reflect-metadata';
import type { AddressInfo, Server } from 'node:net';
import { parse as parseQuery } from 'node:querystring';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import { HealthService } from '../management-api/health/health.service';
import { ApiDescription } from '../api-kit/openapi/api-description';
import { beforeRouting } from '../management-api/pipeline/before-routing';
import { allowOrigins } from '../management-api/pipeline/cors';
import { ApiAdapter } from '../management-api/pipeline/api-adapter';
import { RouteTable } from '../management-api/pipeline/route-table';
import { trustOf } from '../platform/http/client-address';
import { ClickHouse } from '../platform/clickhouse/clickhouse';
import { Metrics } from '../platform/observability/metrics';
import { MetricsServer } from '../platform/observability/metrics-server';
import { ChangeListener } from '../platform/change-notifications/change-listener';
import { RedisRateLimitStorage } from '../platform/rate-limit/redis-rate-limit-storage';
import { AppModule } from './app.module';
import type { Environment } from './environment';
import { SettingsModule } from './settings.module';

export type NestProcess = Awaited<ReturnType<typeof startNest>>;

/** Starts the management API and link traffic on one listener, and returns when it listens. */
export async function startNest(environment: Environment) {
  const app = await createApp(environment);
  const { host, port, role } = environment.config;
  await (host === undefined ? app.listen(port) : app.listen(port, host));
  app.get(HealthService).listening({
    role,
    changeListener: app.get(ChangeListener),
    redis: app.get<RedisRateLimitStorage | null>(RedisRateLimitStorage) ?? undefined,
    clickHouse: app.get<ClickHouse | null>(ClickHouse) ?? undefined,
  });
  return {
    app,
    port: ((app.getHttpServer() as Server).address() as AddressInfo).port,
    /** Undefined if metrics are off. */
    metricsPort: app.get<MetricsServer | null>(MetricsServer)?.port,
    /** Stops all modules in the order of docs/decisions/0001-composition.md. */
    stop: () => app.close(),
  };
}

async function createApp(environment: Environment): Promise<NestExpressApplication> {
  const { config, log, tracing } = environment;
  const server = express();
  // The router must agree with the guards on paths: paths are case-sensitive in both.
  server.set('case sensitive routing', true);
  // By default, parameters after the first 1,000 would be ignored instead of refused.
  server.set('query parser', (query: string) => parseQuery(query, '&', '=', { maxKeys: 0 }));
  server.set('trust proxy', trustOf(config.linkTraffic.trustedProxies));
  server.disable('x-powered-by');
  server.disable('etag');
  const app = await NestFactory.create<NestExpressApplication>(
    { module: AppModule, imports: [SettingsModule.with(environment)] },
    new ApiAdapter(server, config.apiBaseUrl),
    {
      logger: log,
      bodyParser: false,
      abortOnError: false,
    },
  );
  const metrics = app.get<Metrics | null>(Metrics) ?? undefined;
  app.use(beforeRouting(log.logger, app.get(RouteTable), metrics, tracing));
  app.use(allowOrigins(config.allowedOrigins));
  app.get(ApiDescription).publish(app, config.apiBaseUrl);
  return app;
}
