import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { namesSeveralHosts, refuseMisdirected, refuseSeveralHosts } from './broken-requests';
import { paceUnwantedBody } from './unwanted-body';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** What stands behind the door besides the management API. */
interface Doors<Site> {
  /** What link traffic calls the host, by its `Host` header; null for a host that is no link host. */
  siteOf: (host: string | undefined) => Site | null;
  linkTraffic: (site: Site, request: IncomingMessage, response: ServerResponse) => void;
  /** Answers questions for certificates, and tells whether the request was one. */
  certificateQuestion: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/**
 * Puts itself before Nest on the same server: requests to link hosts go to link traffic, all others to the management API.
 * The `Host` header alone decides. Going through Express would cost link traffic five sixths of its speed (measured: 0.15 of
 * bare `node:http` against 0.99).
 *
 * @param role which of the two this process answers; the health checks and questions for certificates it always does
 */
export function openFrontDoor<Site>(server: Server, doors: Doors<Site>, role: 'all' | 'api' | 'traffic'): void {
  const [managementApi, ...others] = server.listeners('request') as Listener[];
  if (!managementApi || others.length > 0) throw new Error("the server must have exactly one request listener: Nest's");
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    paceUnwantedBody(request, response);
    if (namesSeveralHosts(request)) return refuseSeveralHosts(response);
    const site = doors.siteOf(request.headers.host);
    if (site !== null) {
      if (role === 'api') refuseMisdirected(response);
      else doors.linkTraffic(site, request, response);
    } else if (doors.certificateQuestion(request, response)) return;
    else if (role === 'traffic' && !(request.url ?? '').startsWith('/health/')) refuseMisdirected(response);
    else managementApi(request, response);
  });
}
