import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { DiscoveryService, MetadataScanner, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getStorageToken, type ThrottlerStorage } from '@nestjs/throttler';
import express from 'express';
import { DataSource } from 'typeorm';
import { Authenticator } from './api-keys/authenticator';
import { AppModule } from './app.module';
import { ClicksRoom } from './clicks/clicks-room';
import type { Config } from './config';
import { Announcements } from './database/announcements';
import { poolOf } from './database/session';
import { Readiness } from './health/health.controller';
import { beforeRouting } from './http/before-routing';
import { answerBrokenRequests } from './http/broken-requests';
import { Drain } from './http/drain';
import { openFrontDoor } from './http/front-door';
import { SharedWindows } from './http/shared-windows';
import { JsonAdapter } from './http/json-adapter';
import { ApiDescription } from './http/openapi/openapi.controller';
import { RouteTable } from './http/route-table';
import { LinkHosts } from './link-paths/link-hosts';
import { Metrics } from './metrics/metrics';
import { MetricsServer } from './metrics/metrics-server';
import { LinkTrafficRoom } from './link-traffic/link-traffic-room';
import { Clock } from './shared/clock';
import type { Log } from './shared/log';
import type { Tracing } from './tracing/tracing';

/** A running service: the management API and link traffic on one listener. */
export class Service {
  private constructor(
    readonly app: NestExpressApplication,
    private readonly server: Server,
    private readonly drain: Drain,
    private readonly announcements: Announcements,
    private readonly traffic: LinkTrafficRoom,
    readonly clicks: ClicksRoom,
    private readonly metricsServer: MetricsServer | undefined,
    private readonly shutdownTimeout: number,
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
    const announcements = new Announcements(database.directUrl, (message) => log.warn(message));
    const authenticator = app.get(Authenticator);
    announcements.onChanges(({ keys, accounts }) => {
      if (keys !== undefined || accounts !== undefined) authenticator.forget();
    });
    const hosts = app.get(LinkHosts);
    const windows = app.get<ThrottlerStorage>(getStorageToken());
    const clicks = new ClicksRoom({ config, databaseUrl: database.url, clock: app.get(Clock), log });
    const traffic = new LinkTrafficRoom({
      config,
      databaseUrl: database.url,
      announcements,
      clicks: clicks.recorder,
      hosts,
      log,
      clock: app.get(Clock),
      windows,
      metrics,
      tracing,
    });
    metrics?.watch({
      ...traffic.sources,
      pools: { ...traffic.sources.pools, clicks: clicks.pool, 'management API': poolOf(app.get(DataSource)) },
      clicks: () => clicks.recorder?.counts ?? { recorded: 0, waiting: 0, dropped: 0 },
      announcementsCurrent: () => announcements.current,
      rateLimitsShared: () => windows instanceof SharedWindows && windows.shared,
    });
    const server = app.getHttpServer();
    await app.init();
    await Promise.all([announcements.start(), clicks.open()]);
    openFrontDoor(
      server,
      hosts,
      (label, request, response) => traffic.handler.handle(label, request, response),
      config.role,
    );
    answerBrokenRequests(server);
    const drain = new Drain(server);
    await (config.host === undefined ? app.listen(config.port) : app.listen(config.port, config.host));
    const metricsServer = metrics && (await MetricsServer.listen(metrics.registry, config.metricsPort!, config.host));
    return new Service(app, server, drain, announcements, traffic, clicks, metricsServer, config.shutdownTimeout);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Undefined where nobody is told. */
  get metricsPort(): number | undefined {
    return this.metricsServer?.port;
  }

  /** Answers what is in flight, takes nothing new, and lets go of the database. */
  async stop(): Promise<void> {
    this.app.get(Readiness).draining = true;
    await this.drain.close(this.shutdownTimeout);
    await this.app.close();
    await Promise.all([this.traffic.close(), this.clicks.close()]);
    await this.announcements.stop();
    const windows = this.app.get<ThrottlerStorage>(getStorageToken());
    if (windows instanceof SharedWindows) windows.close();
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
