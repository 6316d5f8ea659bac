import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiscoveryService, MetadataScanner, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getStorageToken, type ThrottlerStorage } from '@nestjs/throttler';
import express from 'express';
import { DataSource } from 'typeorm';
import { Authenticator } from '../management-api/api-keys/authenticator';
import { AppModule } from './app.module';
import { ClicksModule } from '../clicks/clicks.module';
import type { Config } from './config';
import { TokenAuthenticator } from '../management-api/identity-provider/token-authenticator';
import { DomainChecks } from '../management-api/custom-domains/domain-checks';
import { ChangeListener } from '../platform/postgres/change-listener';
import { poolOf } from '../platform/postgres/transaction-context';
import { Health } from '../management-api/health/health.service';
import { beforeRouting } from '../management-api/pipeline/before-routing';
import { answerBrokenRequests } from '../platform/http/broken-requests';
import { Drain } from '../platform/http/drain';
import { routeByHost } from '../platform/http/host-router';
import { RedisRateLimitStorage } from '../platform/rate-limit/redis-rate-limit-storage';
import { JsonAdapter } from '../management-api/pipeline/json-adapter';
import { ApiDescription } from '../management-api/openapi/openapi.controller';
import { RouteTable } from '../management-api/pipeline/route-table';
import { LinkHosts } from '../management-api/link-paths/link-hosts';
import { Metrics } from '../platform/observability/metrics';
import { MetricsServer } from '../platform/observability/metrics-server';
import { LinkTrafficModule } from '../link-traffic/link-traffic.module';
import { Clock } from '../shared/clock';
import type { Log } from '../platform/observability/log';
import type { Tracing } from '../platform/observability/tracing.otel';

/** A running service: the management API and link traffic on one listener. */
export class Service {
  private constructor(
    readonly app: NestExpressApplication,
    private readonly server: Server,
    private readonly drain: Drain,
    readonly changeListener: ChangeListener,
    private readonly traffic: LinkTrafficModule,
    readonly clicks: ClicksModule,
    private readonly metricsServer: MetricsServer | undefined,
    private readonly shutdown: { delay: number; timeout: number },
  ) {}

  static async start(
    config: Config,
    database: { url: string; directUrl: string },
    log: Log,
    clock?: Clock,
    tracing?: Tracing,
  ): Promise<Service> {
    const metrics = config.metricsPort === undefined ? undefined : new Metrics();
    const app = await createApp(config, database.url, log, clock, metrics, tracing);
    const changeListener = new ChangeListener(database.directUrl, (message) => log.warn(message));
    const authenticator = app.get(Authenticator);
    const tokenAuthenticator = app.get(TokenAuthenticator);
    changeListener.onChanges(({ keys, accounts }) => {
      if (keys !== undefined || accounts !== undefined) authenticator.forget();
      if (accounts !== undefined) tokenAuthenticator.forget();
    });
    const hosts = app.get(LinkHosts);
    const rateLimitStorage = app.get<ThrottlerStorage>(getStorageToken());
    const clicks = new ClicksModule({ config, databaseUrl: database.url, clock: app.get(Clock), log });
    const traffic = new LinkTrafficModule({
      config,
      databaseUrl: database.url,
      changeListener,
      clicks: clicks.recorder,
      hosts,
      log,
      clock: app.get(Clock),
      rateLimitStorage,
      metrics,
      tracing,
    });
    metrics?.watch({
      ...traffic.sources,
      pools: { ...traffic.sources.pools, clicks: clicks.pool, 'management API': poolOf(app.get(DataSource)) },
      clicks: () => clicks.recorder?.counts ?? { recorded: 0, waiting: 0, dropped: 0 },
      announcementsCurrent: () => changeListener.current,
      customDomains: app.get(DomainChecks),
      rateLimitsShared: () => rateLimitStorage instanceof RedisRateLimitStorage && rateLimitStorage.shared,
      keySetAgeMs:
        config.identityProvider && config.role !== 'traffic' ? () => tokenAuthenticator.keySetAgeMs : undefined,
    });
    const server = app.getHttpServer();
    await app.init();
    if (config.role !== 'traffic') await tokenAuthenticator.start();
    await Promise.all([changeListener.start(), clicks.open()]);
    await traffic.start();
    routeByHost(server, traffic.doors, config.role);
    answerBrokenRequests(server);
    const drain = new Drain(server);
    await (config.host === undefined ? app.listen(config.port) : app.listen(config.port, config.host));
    const metricsServer = metrics && (await MetricsServer.listen(metrics.registry, config.metricsPort!, config.host));
    app.get(Health).listening({
      role: config.role,
      announcements: changeListener,
      redis: rateLimitStorage instanceof RedisRateLimitStorage ? rateLimitStorage : undefined,
    });
    const shutdown = { delay: config.shutdownDelay, timeout: config.shutdownTimeout };
    return new Service(app, server, drain, changeListener, traffic, clicks, metricsServer, shutdown);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Undefined where nobody is told. */
  get metricsPort(): number | undefined {
    return this.metricsServer?.port;
  }

  /**
   * Says that it is not ready any more, and goes on serving until that is known; then answers what is in flight, takes nothing
   * new, and lets go of the database. Metrics can be read to the end.
   */
  async stop(): Promise<void> {
    this.app.get(Health).drain();
    this.drain.begin();
    await sleep(this.shutdown.delay);
    await this.drain.close(this.shutdown.timeout);
    await this.app.close();
    await Promise.all([this.traffic.close(), this.clicks.close()]);
    await this.changeListener.stop();
    const rateLimitStorage = this.app.get<ThrottlerStorage>(getStorageToken());
    if (rateLimitStorage instanceof RedisRateLimitStorage) rateLimitStorage.close();
    await this.metricsServer?.close();
  }
}

/** The application, described and ready to be initialised. Also used where only its description is wanted. */
export async function createApp(
  config: Config,
  databaseUrl: string,
  log: Log,
  clock?: Clock,
  metrics?: Metrics,
  tracing?: Tracing,
): Promise<NestExpressApplication> {
  const server = express();
  // Routing must agree with the guards on what a path is: one spelling, one route.
  server.set('case sensitive routing', true);
  server.set('query parser', 'simple');
  server.set('trust proxy', config.trustedProxies);
  server.disable('x-powered-by');
  server.disable('etag');
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(config, databaseUrl, log, clock),
    new JsonAdapter(server),
    { logger: log, bodyParser: false, abortOnError: false },
  );
  const routes = app.get(RouteTable);
  routes.learnFrom(app.get(DiscoveryService), new MetadataScanner());
  app.use(beforeRouting(log.logger, routes, metrics, tracing));
  app.get(ApiDescription).publish(app, config.apiBaseUrl);
  return app;
}
