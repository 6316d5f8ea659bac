import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenedLink } from '../../clicks/recording/click';
import type { ClickRecorder } from '../../clicks/recording/click-recorder';
import type { DeferredLinksService } from '../deferred-links/deferred-links.service';
import type { InMemoryRateLimitStorage } from '../../platform/rate-limit/in-memory-rate-limit-storage';
import type { ClientAddresses } from '../../platform/http/client-address';
import { rateLimitWindowMs } from '../../platform/rate-limit/rate-limit';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import { uncacheable, sendMessage, sendPage, deviceDependent, pageVary, redirectTo } from '../answers/answer-page';
import {
  AnswerContents,
  hasClickId,
  hasToken,
  phonePlatformOf,
  type ParsedVisit,
} from '../../link-routing/answer-contents';
import type { BackgroundWriter } from '../recording/background-writer';
import type { ClickIds } from '../recording/click-ids';
import type { ClickReader } from '../recording/click-reader';
import type { Answer } from '../../link-routing/answer';
import { decideAnswer, isOwnApp, variantOf } from '../../link-routing/destination';
import { expiredLocation, lifeAt } from '../../link-routing/life';
import { unlocked } from '../../link-routing/lock';
import type { LinkLock } from '../../link-routing/visited-link';
import { lockPage } from '../../link-routing/pages/lock';
import { referringHost } from '../../link-routing/referring-host';
import { matchingRule } from '../../link-routing/ruled-link';
import { chosenVariant, firstVariant } from '../../link-routing/variants';
import { flushResponses } from '../answers/flush-responses';
import type { CachedLink, CachedProject } from '../resolving/cached-models';
import { LinkPages } from '../answers/link-pages';
import { pageLanguageOf } from '../../link-routing/page-language';
import { disabledPage, expiredPage } from '../../link-routing/pages/messages';
import type { LinkQrCodes } from '../answers/link-qr-codes';
import type { MeasuredEscapes } from '../recording/measured-escapes';
import type { PageCache } from '../answers/page-cache';
import type { LockedLinks } from './locked-links';
import { isPrefetch } from './prefetch';
import { VisitFacts } from './visit-facts';
import { asRobot, resolveIpad, type Visitor, visitorOf } from '../../link-routing/visitor';
import { continuationOf } from '../../link-routing/continuation';
import { longLinkPath, readLongLink } from '../../link-routing/long-link';
import type { VariantClicks } from '../recording/variant-clicks';
import type { HashOfVisitor } from '../resolving/visitor-keys';
import { forwardedQuery, readVisitorQuery } from '../../link-routing/visitor-query';

/** The limit per network is high, because many phones share an IP address. Further visits get no token, and no click id. */
export const maxTokensPerMinute = 600;

export interface Visit {
  project: CachedProject;
  link: CachedLink;
  /** The requested path, percent-decoded: a custom path or a slug. */
  path: LinkPath;
  /** The query without `?`, as sent. */
  query: string;
  /** The parameters of a long link; absent for a stored link. */
  longQuery?: string;
  requestId: string;
}

/** A page, a redirect, or the refusal of a prefetch. */
export type VisitAnswer = Answer['kind'] | 'prefetch' | 'expired' | 'locked';

/** A visit of `/` with a long link in its query. */
type LongLinkVisit = Omit<Visit, 'link' | 'path'>;

interface RequestedVisit extends ParsedVisit {
  project: CachedProject;
  link: CachedLink;
  /** Name of the variant that the answer leads to; null without one. */
  variant: string | null;
  request: IncomingMessage;
}

/** Answers visits: sends what `decideAnswer` decides, and records the click. */
export class Visits {
  readonly #contents: AnswerContents<RequestedVisit>;
  readonly #pages: LinkPages<RequestedVisit>;

  constructor(
    hosts: LinkHosts,
    private readonly deferredLinks: DeferredLinksService,
    private readonly addresses: ClientAddresses,
    private readonly tokenCounts: InMemoryRateLimitStorage,
    private readonly clickReader: ClickReader,
    private readonly clicks: Pick<ClickRecorder, 'record'> | null,
    private readonly clickIds: ClickIds | null,
    private readonly hashOf: HashOfVisitor,
    private readonly variantClicks: Pick<VariantClicks, 'record'> | null,
    pages: PageCache,
    qrCodes: LinkQrCodes,
    private readonly locks: Pick<LockedLinks, 'open'>,
    private readonly ended: Pick<BackgroundWriter<string>, 'add' | 'isFull'>,
    private readonly escapes: Pick<MeasuredEscapes, 'offer' | 'arrive'>,
  ) {
    this.#contents = new AnswerContents(
      hosts,
      (visit, step) => this.#issueToken(visit, step),
      (visit) => this.#issueClickId(visit),
    );
    this.#pages = new LinkPages(this.#contents, pages, qrCodes);
  }

  /** Returns null, and sends nothing, if the link has not begun. */
  answer(visit: Visit, request: IncomingMessage, response: ServerResponse): VisitAnswer | null {
    const { visitorQuery, via } = readVisitorQuery(visit.query);
    return this.#send(visit, visitorQuery, via, request, response);
  }

  /** Returns null, and sends nothing, if the query has no long link that the project serves. */
  answerLongLink(visit: LongLinkVisit, request: IncomingMessage, response: ServerResponse): VisitAnswer | null {
    const { visitorQuery: query, via } = readVisitorQuery(visit.query);
    const read = readLongLink(visit.project, query);
    if (typeof read === 'string') return null;
    const { longQuery, visitorQuery } = read;
    const path = longLinkPath as LinkPath;
    const parts = { rules: null, variants: null, isSplit: false, templateId: null };
    const link: CachedLink = { ...read.link, ...parts, version: 0, quarterSerial: 0, numberInQuarter: 0 };
    const longVisit = { ...visit, link, path, longQuery };
    return this.#send(longVisit, visitorQuery, via, request, response);
  }

  /** Answers the form of a locked link. Returns null, and sends nothing, if the link has not begun. */
  async unlock(
    visit: Visit,
    lock: LinkLock,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<VisitAnswer | null> {
    const { visitorQuery, via } = readVisitorQuery(visit.query);
    const { link, project } = visit;
    const life = lifeAt(link, this.clickReader.now());
    if (link.disabled || life === 'before') return this.#send(visit, visitorQuery, via, request, response);
    const opening = life === 'after' ? 'used_up' : await this.locks.open({ id: link.id, lock }, request, response);
    if (opening === 'open') return this.#send(visit, visitorQuery, via, request, response, true);
    if (opening !== 'used_up') return this.#sendLock(visit, request, response, opening);
    return this.#sendExpired(visit, forwardedQuery(project, link, visitorQuery), null, request, response);
  }

  /** @param isUnlocked the visitor has sent the form of the page before the destination */
  #send(
    visit: Visit,
    sentQuery: string,
    via: string | null,
    request: IncomingMessage,
    response: ServerResponse,
    isUnlocked = false,
  ): VisitAnswer | null {
    const { project, link, requestId } = visit;
    const visitorQuery = forwardedQuery(project, link, sentQuery);
    const sender = visitorFrom(request, visit, via);
    const prefetched = !sender.robot && isPrefetch(request.headers);
    const visitor = prefetched ? asRobot(sender) : isUnlocked ? withoutIpad(sender) : sender;
    const continuation = continuationOf(via);
    if (continuation?.leftApp) this.escapes.arrive(via!, visitor, request);
    const wasOfferedApp = isUnlocked || (continuation?.wasOfferedApp ?? false);
    let decided = link;
    if (link.activeFrom !== null || link.activeUntil !== null || link.rules !== null || link.lock !== null) {
      const at = this.clickReader.now();
      const life = link.disabled ? 'active' : lifeAt(link, at);
      if (life === 'before') return null;
      if (life === 'after') return this.#sendExpired(visit, visitorQuery, visitor, request, response);
      if (link.lock !== null && !isUnlocked && !link.disabled) return this.#sendLock(visit, request, response);
      const facts = new VisitFacts(request, visitor, sentQuery, via, at, this.clickReader);
      decided = (link.rules && matchingRule(link.rules, facts)?.link) ?? link;
    }
    if (decided.variants !== null) {
      const { variants } = decided;
      decided = (sender.robot ? firstVariant(variants) : chosenVariant(variants, this.hashOf(link.id, request))).link;
    }
    if (isUnlocked) decided = unlocked(decided);
    const answer = decideAnswer(project, decided, visitor, visitorQuery, wasOfferedApp);
    const variant = decided.variant === null ? null : variantOf(answer);
    if (prefetched && this.#belongsToTap(visit, answer, visitor, via, request)) {
      refusePrefetch(response, requestId);
      return 'prefetch';
    }
    // The hot path comes first and allocates nothing unnecessary.
    if (answer.kind === 'redirect') {
      const isCounted = answer.clickIdParam !== undefined;
      const location = isCounted
        ? this.#contents.redirectUrl(answer, {
            ...visit,
            visitor,
            visitorQuery,
            wasOfferedApp,
            request,
            variant,
            escape: null,
          })
        : answer.location;
      redirectTo(response, location, requestId, isUnlocked ? 303 : 302);
      this.#recordClick(visit, visitor, via, request, variant);
      return answer.kind;
    }
    if (answer.kind === 'disabled') {
      sendMessage(request, response, 410, disabledPage, { 'X-Request-Id': requestId });
      return answer.kind;
    }
    const offersEscape = visitor.inAppBrowser && (answer.kind === 'in-app-browser' || answer.kind === 'other-scheme');
    const escape = offersEscape ? this.escapes.offer(sender, !visitor.robot, request) : null;
    const parsed = { ...visit, link: decided, visitor, visitorQuery, wasOfferedApp, request, variant, escape };
    switch (answer.kind) {
      case 'play-store':
        redirectTo(
          response,
          this.#contents.playStoreUrl(answer.page, parsed, 'store'),
          requestId,
          isUnlocked ? 303 : 302,
        );
        break;
      case 'preview':
        sendPage(request, response, 200, this.#pages.preview(parsed), previewCaching(link), [
          'Vary',
          deviceDependent.Vary,
          'X-Request-Id',
          requestId,
        ]);
        break;
      case 'in-app-browser':
      case 'get-the-app':
      case 'other-scheme':
      case 'landing': {
        const language = pageLanguageOf(request.headers['accept-language']);
        const page =
          answer.kind === 'in-app-browser'
            ? this.#pages.inAppBrowser(answer, parsed, language)
            : answer.kind === 'get-the-app'
              ? this.#pages.getTheApp(answer, parsed, language)
              : answer.kind === 'other-scheme'
                ? this.#pages.otherScheme(answer, parsed, language)
                : this.#pages.landing(parsed, language);
        sendPage(request, response, 200, page, uncacheable['Cache-Control'], [
          'Vary',
          pageVary,
          'Content-Language',
          language,
          'X-Request-Id',
          requestId,
          'X-Robots-Tag',
          'noindex',
        ]);
      }
    }
    this.#recordClick(visit, visitor, via, request, variant);
    if (answer.kind === 'in-app-browser' && escape !== null && !visitor.robot && this.clicks)
      this.clickReader.offerEscape(project, clickedLinkOf(visit), request);
    return answer.kind;
  }

  /** Sends the page before the destination. It does not count as a click. */
  #sendLock(
    { link, requestId }: Visit,
    request: IncomingMessage,
    response: ServerResponse,
    opening: 'closed' | 'wrong' | 'busy' = 'closed',
  ): VisitAnswer {
    const card = {
      hasPassword: link.lock?.passwordHash !== null,
      fault: opening === 'closed' ? null : opening,
      referringHost: referringHost(request.headers.referer),
    };
    const status = { closed: 200, wrong: 403, busy: 429 }[opening];
    sendMessage(request, response, status, (language) => lockPage(card, language), { 'X-Request-Id': requestId });
    return 'locked';
  }

  /**
   * Answers a visit after the end of the link. It counts apart from clicks.
   * @param visitor null for the form of a page, which the visitor got before the end
   */
  #sendExpired(
    { project, link, requestId }: Visit,
    visitorQuery: string,
    visitor: Visitor | null,
    request: IncomingMessage,
    response: ServerResponse,
  ): VisitAnswer {
    const location = expiredLocation(project, link, visitorQuery);
    if (location === null) sendMessage(request, response, 410, expiredPage, { 'X-Request-Id': requestId });
    else redirectTo(response, location, requestId, request.method === 'POST' ? 303 : 302);
    const isPerson = visitor === null || (request.method === 'GET' && !visitor.robot);
    if (isPerson && this.clicks && !this.ended.isFull) this.ended.add(link.id);
    return 'expired';
  }

  /** Returns whether the tap after a prefetch must ask again, because the answer has its token or click id, or counts its click. */
  #belongsToTap(visit: Visit, answer: Answer, visitor: Visitor, via: string | null, request: IncomingMessage): boolean {
    if (request.method !== 'GET' || answer.kind === 'disabled') return false;
    if (hasClickId(answer) || (hasToken(answer) && visit.longQuery === undefined)) return true;
    return (
      this.clicks !== null && this.clickReader.read(visit.project, clickedLinkOf(visit), visitor, via, request) !== null
    );
  }

  #recordClick(
    visit: Visit,
    visitor: Visitor,
    via: string | null,
    request: IncomingMessage,
    variant: string | null,
  ): void {
    if (!this.clicks) return;
    const click = this.clickReader.read(visit.project, clickedLinkOf(visit), visitor, via, request);
    if (!click) return;
    this.clicks.record(click);
    if (variant === null || visitor.robot) return;
    const { projectId, at } = click;
    this.variantClicks?.record({ projectId, dynamicLinkId: visit.link.id, platform: visitor.platform, variant, at });
  }

  /** Issues a token to people only, because HEAD requests and crawlers install no app. */
  #issueToken({ project, link, longQuery, visitor, request }: RequestedVisit, step: 'shown' | 'store'): string | null {
    // A claim returns a stored link.
    if (longQuery !== undefined) return null;
    const phone = request.method === 'GET' ? phonePlatformOf(visitor) : null;
    if (phone === null) return null;
    if (this.tokenCounts.count(this.addresses.networkOf(request), rateLimitWindowMs) > maxTokensPerMinute) return null;
    return this.deferredLinks.issue(phone, project.id, link.id, embeddingAppOf(visitor), step);
  }

  /** Issues a click id to people only, because HEAD requests and robots convert to nothing. */
  #issueClickId(visit: RequestedVisit): string | null {
    const { project, visitor, request } = visit;
    if (this.clickIds === null || request.method === 'HEAD' || visitor.robot) return null;
    const key = `click id ${this.addresses.networkOf(request)}`;
    if (this.tokenCounts.count(key, rateLimitWindowMs) > maxTokensPerMinute) return null;
    return this.clickIds.issue(project.id, clickedLinkOf(visit), visitor.platform, visit.variant);
  }
}

/** Returns the name of the app whose browser the visitor uses; empty for other browsers. */
const embeddingAppOf = ({ inAppBrowser, browser }: Visitor): string => (inAppBrowser ? (browser ?? '') : '');

/** Returns no time for a link that ends, because a cache could serve its preview after the end. */
const previewCaching = ({ activeUntil }: CachedLink): string =>
  activeUntil === null ? 'public, max-age=300' : uncacheable['Cache-Control'];

const clickedLinkOf = ({ project, link, longQuery }: Pick<Visit, 'project' | 'link' | 'longQuery'>): OpenedLink =>
  longQuery === undefined ? link : project.longLinks;

/** Returns the visitor, whom no page sends on to see whether this is an iPad, because the link would ask again. */
const withoutIpad = (visitor: Visitor): Visitor => ({ ...visitor, macintosh: false });

function visitorFrom(request: IncomingMessage, { project, link }: Visit, via: string | null): Visitor {
  const { headers } = request;
  const requestedWith = headers['x-requested-with'] as string | undefined;
  const visitor = visitorOf({
    userAgent: headers['user-agent'],
    clientHint: headers['sec-ch-ua-platform'] as string | undefined,
    requestedWith: isOwnApp(requestedWith, project, link) ? undefined : requestedWith,
  });
  return resolveIpad(visitor, via);
}

/** Refuses a prefetch, so that the browser has nothing to show for the tap and asks again. */
function refusePrefetch(response: ServerResponse, requestId: string): void {
  response.writeHead(503, [
    'Cache-Control',
    'no-store',
    'X-Robots-Tag',
    'noindex',
    'X-Request-Id',
    requestId,
    'Content-Length',
    '0',
  ]);
  flushResponses(response);
}
