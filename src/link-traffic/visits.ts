import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClickRecorder } from '../clicks/click-recorder';
import type { DeferredLinksService } from './deferred-links/deferred-links.service';
import type { InMemoryRateLimitStorage } from '../platform/rate-limit/in-memory-rate-limit-storage';
import type { ClientAddresses } from '../platform/http/client-address';
import { rateLimitWindow } from '../platform/rate-limit/rate-limit';
import type { LinkPath } from '../management-api/link-paths/custom-path';
import type { LinkHosts } from '../management-api/link-paths/link-hosts';
import { privately, sendPage, varies } from './answer-page';
import { AnswerContents, phoneOf, type ReadVisit } from '../link-routing/answer-contents';
import type { ClickReader } from './click-reader';
import { type Answer, answerFor } from '../link-routing/destination';
import { flushResponses } from './flush-responses';
import { getTheAppPage } from '../link-routing/pages/get-the-app';
import { inAppBrowserPage } from '../link-routing/pages/in-app-browser';
import { landingPage } from '../link-routing/pages/landing';
import { previewPage } from '../link-routing/pages/preview';
import type { VisitedProject } from '../link-routing/visited-link';
import type { CachedLink } from './cached-link';
import { resolveIpad, type Visitor, visitorOf } from '../link-routing/visitor';
import { isFromOurPage, readVisitorQuery } from '../link-routing/visitor-query';

/** Tokens of deferred deep links that one network gets a minute. Many phones share an address; further visits go without. */
const mostTokensPerMinute = 600;

export interface Visit {
  project: VisitedProject;
  link: CachedLink;
  /** As the visitor asked for it, percent-decoded: a custom path or a slug. */
  path: LinkPath;
  /** What the visitor's URL has behind `?`, as it was sent. */
  query: string;
  requestId: string;
}

/** With the request, which tells who gets a token. */
interface RequestedVisit extends ReadVisit {
  request: IncomingMessage;
}

/** Turns a visit into its answer on the wire. What the answer is, `answerFor` decides. */
export class Visits {
  readonly #contents: AnswerContents<RequestedVisit>;

  constructor(
    hosts: LinkHosts,
    private readonly deferredLinks: DeferredLinksService,
    private readonly addresses: ClientAddresses,
    private readonly tokenCounts: InMemoryRateLimitStorage,
    private readonly clickReader: ClickReader,
    private readonly clicks: Pick<ClickRecorder, 'record'> | null,
  ) {
    this.#contents = new AnswerContents(hosts, (visit) => this.#token(visit));
  }

  answer(visit: Visit, request: IncomingMessage, response: ServerResponse): Answer['kind'] {
    const { project, link, requestId } = visit;
    const { own, via } = readVisitorQuery(visit.query);
    const visitor = visitorFrom(request, via);
    const answer = answerFor(project, link, visitor, own, isFromOurPage(via));
    // The hot path goes first, and makes nothing that it does not need.
    if (answer.kind === 'redirect') {
      redirectTo(response, answer.location, requestId);
      this.#count(visit, visitor, via, request);
      return answer.kind;
    }
    const read = { ...visit, visitor, own, request };
    switch (answer.kind) {
      case 'play-store':
        redirectTo(response, this.#contents.playStoreUrl(answer.packageName, read), requestId);
        break;
      case 'preview':
        sendPage(request, response, 200, previewPage(this.#contents.preview(read)), {
          ...varies,
          'X-Request-Id': requestId,
          'Cache-Control': 'public, max-age=300',
        });
        break;
      case 'in-app-browser':
      case 'get-the-app':
      case 'landing': {
        const page =
          answer.kind === 'in-app-browser'
            ? inAppBrowserPage(this.#contents.inAppBrowser(answer, read))
            : answer.kind === 'get-the-app'
              ? getTheAppPage(this.#contents.getTheApp(answer, read))
              : landingPage(this.#contents.landing(read));
        sendPage(request, response, 200, page, {
          ...varies,
          'X-Request-Id': requestId,
          ...privately,
          'X-Robots-Tag': 'noindex',
        });
      }
    }
    this.#count(visit, visitor, via, request);
    return answer.kind;
  }

  #count({ project, link }: Visit, visitor: Visitor, via: string | null, request: IncomingMessage): void {
    if (!this.clicks) return;
    const click = this.clickReader.read(project, link, visitor, via, request);
    if (click) this.clicks.record(click);
  }

  /** Only for a person who really comes: a HEAD or a crawler installs nothing. */
  #token({ project, link, visitor, request }: RequestedVisit): string | null {
    const phone = request.method === 'GET' ? phoneOf(visitor) : null;
    if (phone === null) return null;
    if (this.tokenCounts.count(this.addresses.networkOf(request), rateLimitWindow) > mostTokensPerMinute) return null;
    return this.deferredLinks.issue(phone, project.id, link.id);
  }
}

function visitorFrom(request: IncomingMessage, via: string | null): Visitor {
  const visitor = visitorOf({
    userAgent: request.headers['user-agent'],
    clientHint: request.headers['sec-ch-ua-platform'] as string | undefined,
  });
  return resolveIpad(visitor, via);
}

/** A flat list of headers is what Node writes fastest: names and values in turn. */
function redirectTo(response: ServerResponse, location: string, requestId: string): void {
  response.writeHead(302, [
    'Location',
    location,
    'Cache-Control',
    privately['Cache-Control'],
    'Vary',
    varies.Vary,
    'X-Request-Id',
    requestId,
    'Content-Length',
    '0',
  ]);
  flushResponses(response);
}
