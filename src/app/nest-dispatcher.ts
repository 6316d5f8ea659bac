import type { RequestListener, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { LinkTrafficParts } from '../link-traffic/link-traffic.composition';
import { healthListener } from './health-listener';
import { HealthService } from '../management-api/health/health.service';
import { LinkHosts } from '../link-paths/paths/link-hosts';
import type { Drain } from '../platform/http/drain';
import { RequestPacer } from '../platform/http/request-pacer';
import { Log } from '../platform/observability/log';
import { Metrics } from '../platform/observability/metrics';
import { Dispatcher } from './dispatcher';

export class NestDispatcherSettings {
  readonly role: 'all' | 'api';
  readonly shutdownDelayMs: number;
  readonly shutdownTimeoutMs: number;
}

/**
 * Puts the dispatcher before Nest (docs/decisions/0001-composition.md). It takes the place of Nest's `request` listener on Nest's
 * server, and passes requests of the management API on to that listener.
 */
@Injectable()
export class NestDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  #drain: Drain | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly settings: NestDispatcherSettings,
    private readonly hosts: LinkHosts,
    private readonly linkTraffic: LinkTrafficParts,
    private readonly health: HealthService,
    private readonly pacer: RequestPacer,
    private readonly log: Log,
    @Inject(Metrics) private readonly metrics: Metrics | null,
  ) {}

  /** Runs after every other module is ready, and before the server listens. */
  onApplicationBootstrap(): void {
    const server = this.adapterHost.httpAdapter.getHttpServer() as Server;
    const [managementApi, ...others] = server.listeners('request') as RequestListener[];
    if (!managementApi || others.length > 0)
      throw new Error("the server must have exactly one request listener: Nest's");
    server.removeAllListeners('request');
    this.#drain = new Dispatcher(this.hosts, this.log, this.metrics).attach(server, {
      role: this.settings.role,
      linkTraffic: this.linkTraffic,
      health: healthListener(this.health, this.log, this.metrics),
      managementApi: this.#paced(managementApi),
    });
    this.metrics?.watch({ signpost_api_paced_requests: () => this.pacer.waiting });
  }

  /**
   * Reports that the process is not ready, serves until proxies know, and then answers what is in flight. It runs before all
   * other hooks of the shutdown, because Nest stops the root module first.
   */
  async onModuleDestroy(): Promise<void> {
    if (!this.#drain) return;
    this.health.drain();
    this.#drain.begin();
    await sleep(this.settings.shutdownDelayMs);
    await this.#drain.close(this.settings.shutdownTimeoutMs);
  }

  /**
   * Returns a listener that spreads bursts over turns of the event loop, by credential. It is not checked yet: a forged one only
   * gets a separate line.
   */
  #paced(managementApi: RequestListener): RequestListener {
    return (request, response) => {
      if (this.pacer.tryTake()) return managementApi(request, response);
      const caller = request.headers.authorization ?? request.socket.remoteAddress ?? '';
      this.pacer.hold(caller, () => {
        if (!request.socket.destroyed) managementApi(request, response);
      });
    };
  }
}
