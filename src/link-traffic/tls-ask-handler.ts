import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { isUnavailable } from '../platform/postgres/database-error';
import { describeForLog } from '../platform/http/log-redaction';
import { requestIdFrom } from '../platform/http/request-id';
import type { LinkHosts } from '../link-paths/paths/link-hosts';
import type { Metrics } from '../platform/observability/metrics';
import type { VerifiedDomainIndex } from './resolving/verified-domain-index';
import type { LinkResolver } from './resolving/link-resolver';
import { siteOfLabel } from './resolving/site';

const path = '/tls/ask';

/**
 * Handles `GET /tls/ask?domain=…`, with which a proxy asks if it may obtain a certificate (Caddy, "On-Demand TLS"). The
 * status is 200 for hosts that the service answers on, and 404 for all others. It needs no API key, because it reveals no more
 * than a visit to the host. It has no rate limit, because it costs at most one batched look-up.
 */
export class TlsAskHandler {
  constructor(
    private readonly resolver: LinkResolver,
    private readonly domains: VerifiedDomainIndex,
    private readonly hosts: LinkHosts,
    private readonly log: Logger,
    private readonly metrics?: Metrics,
  ) {}

  /** Answers the request if it is a TLS ask request; returns false for any other request. */
  tryHandle(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method = '' } = request;
    if (!url.startsWith(path) || (url.length > path.length && url[path.length] !== '?')) return false;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const startedAt = performance.now();
    const requestId = requestIdFrom(request.headers['x-request-id']);
    const answer = (status: number): void => {
      response.writeHead(status, { 'X-Request-Id': requestId, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
      this.metrics?.request('api', method, path, status, (performance.now() - startedAt) / 1000);
    };
    this.#isServed(new URLSearchParams(url.slice(path.length)).getAll('domain')).then(
      (answers) => answer(answers ? 200 : 404),
      (error: unknown) => {
        this.log.error({ request_id: requestId, error: describeForLog(error) }, 'TLS ask request failed');
        answer(isUnavailable(error) ? 503 : 500);
      },
    );
    return true;
  }

  async #isServed([domain, ...others]: string[]): Promise<boolean> {
    if (!domain || others.length > 0 || domain.includes(':')) return false;
    if (this.hosts.isApi(domain) || this.domains.siteOf(domain) !== null) return true;
    const label = this.hosts.labelOf(domain);
    if (label === null) return false;
    const site = siteOfLabel(label);
    return (this.resolver.knownProject(site) ?? (await this.resolver.findProject(site))) !== null;
  }
}
