import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { LinkHosts } from '../link-paths/link-hosts';
import { namesSeveralHosts, refuseMisdirected, refuseSeveralHosts } from './broken-requests';
import { paceUnwantedBody } from './unwanted-body';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers a request to a link host; `label` is what stands before the link domain. */
type LinkListener = (label: string, request: IncomingMessage, response: ServerResponse) => void;

/**
 * Puts itself before Nest on the same server: requests to link hosts go to link traffic, all others to the management API.
 * The `Host` header alone decides. Going through Express would cost link traffic five sixths of its speed (measured: 0.15 of
 * bare `node:http` against 0.99).
 *
 * @param role which of the two this process answers; the health checks it always does
 */
export function openFrontDoor(
  server: Server,
  hosts: LinkHosts,
  linkTraffic: LinkListener,
  role: 'all' | 'api' | 'traffic',
): void {
  const [managementApi, ...others] = server.listeners('request') as Listener[];
  if (!managementApi || others.length > 0) throw new Error("the server must have exactly one request listener: Nest's");
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    paceUnwantedBody(request, response);
    if (namesSeveralHosts(request)) return refuseSeveralHosts(response);
    const label = hosts.labelOf(request.headers.host);
    if (label === null) {
      if (role === 'traffic' && !(request.url ?? '').startsWith('/health/')) refuseMisdirected(response);
      else managementApi(request, response);
    } else if (role === 'api') refuseMisdirected(response);
    else linkTraffic(label, request, response);
  });
}
