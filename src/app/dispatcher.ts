import type { RequestListener, Server } from 'node:http';
import { type LinkTrafficParts } from '../link-traffic/link-traffic.composition';
import { siteOfHost } from '../link-traffic/resolving/site';
import type { LinkHosts } from '../link-paths/paths/link-hosts';
import { Drain } from '../platform/http/drain';
import { EarlyRefusals, hostFaultOf } from '../platform/http/early-refusals';
import { RequestQueue } from '../platform/http/request-queue';
import { RequestTimeouts } from '../platform/http/request-timeout';
import { UnreadResponses } from '../platform/http/unread-responses';
import { paceUnwantedBody } from '../platform/http/unwanted-body';
import type { Log } from '../platform/observability/log';
import type { Metrics } from '../platform/observability/metrics';

interface Handlers {
  /** The routes of this process. Every role also answers health checks and `/tls/ask`. */
  role: 'all' | 'api' | 'traffic';
  linkTraffic: Pick<LinkTrafficParts, 'handler' | 'tlsAsk' | 'domains'>;
  health: RequestListener;
  /** Answers the management API; absent in a process of link traffic alone. */
  managementApi?: RequestListener;
}

/**
 * Selects who answers a request by its `Host` header. Link traffic is answered outside Nest.
 *
 * Measured: 0.99 of bare `node:http`; Express middleware before Nest reaches 0.15.
 */
export class Dispatcher {
  constructor(
    private readonly hosts: LinkHosts,
    private readonly log: Log,
    private readonly metrics: Metrics | null,
  ) {}

  /** Handles the requests of a server that has no other listener, within the limits of all responses. */
  attach(server: Server, handlers: Handlers): Drain {
    const refusals = new EarlyRefusals(this.log.logger);
    refusals.watch(server);
    const timeouts = new RequestTimeouts(server);
    // Node would ignore headers after the first 1,000, such as `If-Match`. The bytes of all headers are limited.
    server.maxHeadersCount = 0;
    const queue = new RequestQueue(this.#dispatch(handlers, refusals, timeouts));
    server.on('request', queue.listener);
    // Node would refuse an unknown `Expect` without a body. A server may ignore it (RFC 9110, section 10.1.1).
    server.on('checkExpectation', queue.listener);
    const unread = new UnreadResponses(server);
    this.metrics?.watch({
      signpost_http_waiting_requests: () => queue.counts.waiting,
      signpost_http_unread_bytes: () => unread.counts.bytes,
      signpost_http_connections_reset_total: () => ({
        stalled: unread.counts.stalled,
        'unread-bytes': unread.counts.cut,
        'waiting-requests': queue.counts.cut,
      }),
    });
    return new Drain(server);
  }

  #dispatch(
    { role, linkTraffic, health, managementApi }: Handlers,
    refusals: EarlyRefusals,
    timeouts: RequestTimeouts,
  ): RequestListener {
    const { hosts } = this;
    const { handler, tlsAsk, domains } = linkTraffic;
    return (request, response) => {
      timeouts.watch(request);
      paceUnwantedBody(request, response);
      const hostFault = hostFaultOf(request);
      if (hostFault !== null) return refusals.refuseHost(request, response, hostFault);
      const site = siteOfHost(request.headers.host, hosts, domains);
      if (site !== null) {
        if (role === 'api') refusals.refuseMisdirected(request, response);
        else handler.handle(site, request, response);
      } else if (tlsAsk.tryHandle(request, response)) return;
      else if (managementApi && !isProbe(request.url)) managementApi(request, response);
      else if (request.url?.startsWith('/health/')) health(request, response);
      else refusals.refuseMisdirected(request, response);
    };
  }
}

const isProbe = (url = ''): boolean => /^\/health\/(?:live|startup|ready(?:\/traffic)?)(?:\?|$)/.test(url);
