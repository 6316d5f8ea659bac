import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { isUnavailable } from '../platform/postgres/database-error';
import { describeForLog } from '../platform/http/log-redaction';
import { requestIdFrom } from '../platform/http/request-id';
import type { LinkHosts } from '../management-api/link-paths/link-hosts';
import type { Metrics } from '../platform/observability/metrics';
import type { VerifiedDomainIndex } from './verified-domain-index';
import type { LinkResolver } from './link-resolver';
import { siteOfLabel } from './site';

/** Where proxies ask, on hosts that are no link hosts. */
const path = '/tls/ask';

/**
 * `GET /tls/ask?domain=…`: whether a proxy that makes certificates on demand may make one for the host (Caddy, "On-Demand TLS").
 * 200 for hosts that something answers on, 404 for all others. It needs no key and is not counted, as the health checks: it tells
 * nothing that a visit to the host would not tell, out of memory or by look-ups that share a query.
 */
export class TlsAskHandler {
  constructor(
    private readonly resolver: LinkResolver,
    private readonly customHosts: VerifiedDomainIndex,
    private readonly hosts: LinkHosts,
    private readonly log: Logger,
    private readonly metrics?: Metrics,
  ) {}

  /** Whether the request is such a question, in which case it is answered. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method = '' } = request;
    if (!url.startsWith(path) || (url.length > path.length && url[path.length] !== '?')) return false;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const startedAt = performance.now();
    const requestId = requestIdFrom(request.headers['x-request-id']);
    const answer = (status: number): void => {
      response.writeHead(status, { 'X-Request-Id': requestId, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
      this.metrics?.request('api', method, path, status, (performance.now() - startedAt) / 1000);
    };
    this.#answersOn(new URLSearchParams(url.slice(path.length)).getAll('domain')).then(
      (answers) => answer(answers ? 200 : 404),
      (error: unknown) => {
        this.log.error({ request_id: requestId, error: describeForLog(error) }, 'question for a certificate failed');
        answer(isUnavailable(error) ? 503 : 500);
      },
    );
    return true;
  }

  async #answersOn([domain, ...others]: string[]): Promise<boolean> {
    if (!domain || others.length > 0 || domain.includes(':')) return false;
    if (this.hosts.isApi(domain) || this.customHosts.siteOf(domain) !== null) return true;
    const label = this.hosts.labelOf(domain);
    if (label === null) return false;
    const site = siteOfLabel(label);
    return (this.resolver.knownProject(site) ?? (await this.resolver.findProject(site))) !== null;
  }
}
