import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { isUnavailable } from '../database/database-error';
import { withDeadline } from '../database/deadline';
import { requestIdFrom } from '../http/before-routing';
import { describeForLog } from '../http/error-filter';
import { customPath } from '../link-paths/custom-path';
import { subdomainRule } from '../projects/project';
import { answerFor } from './destination';
import type { LinkResolver } from './link-resolver';
import { landingPage } from './pages/landing';
import { methodPage, notFoundPage, unavailablePage } from './pages/messages';
import type { Page } from './pages/page';
import type { VisitedLink } from './visited-link';
import { platformOf } from './visitor';

/** Milliseconds a visit may spend on its look-up. */
const lookupDeadline = 3300;

/** Answers visitors on link hosts. It stands before Nest: no route of the management API can be reached through it. */
export class LinkTraffic {
  constructor(
    private readonly resolver: Pick<LinkResolver, 'find'>,
    private readonly log: Logger,
  ) {}

  /** @param label what stands before the link domain in the `Host` */
  async handle(label: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = requestIdFrom(request.headers['x-request-id']);
    response.setHeader('X-Request-Id', requestId);
    try {
      await this.visit(label, request, response);
    } catch (error) {
      this.log.error({ request_id: requestId, error: describeForLog(error) }, 'visit failed');
      if (response.headersSent) response.destroy();
      else sendPage(request, response, isUnavailable(error) ? 503 : 500, unavailablePage);
    }
  }

  private async visit(label: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return sendPage(request, response, 405, methodPage);
    }
    const target = readTarget(request.url ?? '');
    const subdomain = subdomainRule.tryParse(label);
    const path = target && customPath.tryParse(target.path);
    const link = subdomain && path && (await withDeadline(lookupDeadline, () => this.resolver.find(subdomain, path)));
    if (!target || !link) return sendPage(request, response, 404, notFoundPage);
    const platform = platformOf({
      userAgent: request.headers['user-agent'],
      clientHint: request.headers['sec-ch-ua-platform'] as string | undefined,
    });
    response.setHeader('Vary', 'User-Agent, Sec-CH-UA-Platform');
    const answer = answerFor(link, platform, target.query);
    if ('landing' in answer) return sendPage(request, response, 200, landingOf(answer.landing, subdomain));
    response.writeHead(302, { Location: answer.redirect, 'Cache-Control': 'private, no-store', 'Content-Length': 0 });
    response.end();
  }
}

/**
 * Path (percent-decoded, without its leading slash) and query of a request target in origin form; null where it is none or
 * cannot be decoded. A target in absolute form names a host of its own and is no visit to this one.
 */
function readTarget(url: string): { path: string; query: string } | null {
  if (!url.startsWith('/')) return null;
  const [beforeHash = ''] = url.split('#', 1);
  const mark = beforeHash.indexOf('?');
  const path = mark < 0 ? beforeHash : beforeHash.slice(0, mark);
  try {
    return { path: decodeURIComponent(path.slice(1)), query: mark < 0 ? '' : beforeHash.slice(mark + 1) };
  } catch {
    return null;
  }
}

function landingOf(link: VisitedLink, subdomain: string): Page {
  return landingPage({
    url: '',
    title: link.socialTitle ?? subdomain,
    description: link.socialDescription,
    imageUrl: null,
    appStoreUrl: null,
    playStoreUrl: null,
    ipadUrl: null,
  });
}

function sendPage(request: IncomingMessage, response: ServerResponse, status: number, page: Page): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page.html),
    'Cache-Control': status === 200 ? 'private, no-store' : 'no-store',
    'Content-Security-Policy': page.contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'no-referrer',
    ...(status === 503 && { 'Retry-After': 5 }),
  });
  response.end(request.method === 'HEAD' ? undefined : page.html);
}
