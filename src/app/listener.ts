import type { RequestListener, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { LinkTraffic } from '../link-traffic/handler';
import { type Site, siteOfLabel } from '../link-traffic/site';
import { TlsAskHandler } from '../link-traffic/tls-ask-handler';
import { VerifiedDomainIndex } from '../link-traffic/verified-domain-index';
import { Health } from '../management-api/health/health.service';
import { LinkHosts } from '../management-api/link-paths/link-hosts';
import { EarlyRefusals, hostFaultOf } from '../platform/http/early-refusals';
import { Drain } from '../platform/http/drain';
import { RequestPacer } from '../platform/http/request-pacer';
import { RequestQueue } from '../platform/http/request-queue';
import { UnreadResponses } from '../platform/http/unread-responses';
import { paceUnwantedBody } from '../platform/http/unwanted-body';
import { Log } from '../platform/observability/log';
import { Metrics } from '../platform/observability/metrics';

export class ListenerSettings {
  /** The routes of this process. Every role also answers health checks and `/tls/ask`. */
  readonly role: 'all' | 'api' | 'traffic';
  readonly shutdownDelayMs: number;
  readonly shutdownTimeoutMs: number;
}

/**
 * Selects link traffic by the `Host` header and handles it outside Nest (docs/decisions/0023-composition.md). It takes the place
 * of Nest's `request` listener on Nest's server, and passes all other requests on to that listener.
 *
 * Measured: 0.99 of bare `node:http`; Express middleware before Nest reaches 0.15.
 */
@Injectable()
export class Listener implements OnApplicationBootstrap, OnModuleDestroy {
  #drain: Drain | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly settings: ListenerSettings,
    private readonly hosts: LinkHosts,
    private readonly domains: VerifiedDomainIndex,
    private readonly linkTraffic: LinkTraffic,
    private readonly tlsAsk: TlsAskHandler,
    private readonly health: Health,
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
    const refusals = new EarlyRefusals(this.log.logger);
    refusals.watch(server);
    const queue = new RequestQueue(this.#dispatch(this.#paced(managementApi), refusals));
    server.on('request', queue.listener);
    // Node would refuse an unknown `Expect` without a body. A server may ignore it (RFC 9110, section 10.1.1).
    server.on('checkExpectation', queue.listener);
    const unread = new UnreadResponses(server);
    this.metrics?.watchResponses(queue.counts, unread.counts);
    this.metrics?.watchPacer(this.pacer);
    this.#drain = new Drain(server);
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

  #dispatch(managementApi: RequestListener, refusals: EarlyRefusals): RequestListener {
    const { hosts, domains, linkTraffic, tlsAsk } = this;
    const { role } = this.settings;
    const siteOf = (host: string | undefined): Site | null => {
      const label = hosts.labelOf(host);
      return label === null ? domains.siteOf(host) : siteOfLabel(label);
    };
    return (request, response) => {
      paceUnwantedBody(request, response);
      const hostFault = hostFaultOf(request);
      if (hostFault !== null) return refusals.refuseHost(request, response, hostFault);
      const site = siteOf(request.headers.host);
      if (site !== null) {
        if (role === 'api') refusals.refuseMisdirected(request, response);
        else linkTraffic.handle(site, request, response);
      } else if (tlsAsk.tryHandle(request, response)) return;
      else if (role === 'traffic' && !(request.url ?? '').startsWith('/health/'))
        refusals.refuseMisdirected(request, response);
      else managementApi(request, response);
    };
  }
}
