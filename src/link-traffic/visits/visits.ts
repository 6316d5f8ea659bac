import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import type { Answer } from '../../link-routing/answers/answer';
import { AnswerContents, hasClickId, hasToken } from '../../link-routing/answers/answer-contents';
import { continuationOf } from '../../link-routing/visitor/continuation';
import { decideAnswer, variantOf } from '../../link-routing/answers/destination';
import { expiredLocation, lifeAt } from '../../link-routing/visited-link/life';
import { unlocked } from '../../link-routing/visited-link/lock';
import { readLongLink } from '../../link-routing/visited-link/long-link';
import { pageLanguageOf } from '../../link-routing/pages/page-language';
import { disabledPage, expiredPage } from '../../link-routing/pages/messages';
import { matchingRule } from '../../link-routing/visited-link/ruled-link';
import { chosenVariant, firstVariant } from '../../link-routing/visited-link/variants';
import type { LinkLock } from '../../link-routing/visited-link/visited-link';
import { asRobot, type Visitor } from '../../link-routing/visitor/visitor';
import { forwardedQuery, readVisitorQuery } from '../../link-routing/visited-link/visitor-query';
import { redirectTo, sendDevicePage, sendMessage, sendPreview } from '../answers/answer-page';
import { LinkPages } from '../answers/link-pages';
import type { LinkQrCodes } from '../answers/link-qr-codes';
import type { PageCache } from '../answers/page-cache';
import type { ClickReader } from '../recording/click-reader';
import type { MeasuredEscapes } from '../recording/measured-escapes';
import type { HashOfVisitor } from '../resolving/visitor-keys';
import { sendLockPage } from './lock-page';
import type { LockedLinks } from './locked-links';
import { isPrefetch, refusePrefetch } from './prefetch';
import {
  type LongLinkVisit,
  type RequestedVisit,
  type Visit,
  type VisitAnswer,
  visitOfLongLink,
  visitorOfVisit,
  withoutIpad,
} from './visit';
import type { VisitClicks } from './visit-clicks';
import { VisitFacts } from './visit-facts';
import type { VisitIds } from './visit-ids';

/** Answers visits: sends what `decideAnswer` decides, and records the click. */
export class Visits {
  readonly #contents: AnswerContents<RequestedVisit>;
  readonly #pages: LinkPages<RequestedVisit>;

  constructor(
    hosts: LinkHosts,
    ids: VisitIds,
    private readonly clickReader: ClickReader,
    private readonly clicks: VisitClicks,
    private readonly hashOf: HashOfVisitor,
    pages: PageCache,
    qrCodes: LinkQrCodes,
    private readonly locks: Pick<LockedLinks, 'open'>,
    private readonly escapes: Pick<MeasuredEscapes, 'offer' | 'arrive'>,
  ) {
    this.#contents = new AnswerContents(
      hosts,
      (visit, step) => ids.issueToken(visit, step),
      (visit) => ids.issueClickId(visit),
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
    return this.#send(visitOfLongLink(visit, read), read.visitorQuery, via, request, response);
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
    if (opening !== 'used_up') return sendLockPage(visit, request, response, opening);
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
    const sender = visitorOfVisit(request, visit, via);
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
      if (link.lock !== null && !isUnlocked && !link.disabled) return sendLockPage(visit, request, response);
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
    const redirectStatus = isUnlocked ? 303 : 302;
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
      redirectTo(response, location, requestId, redirectStatus);
      this.clicks.record(visit, visitor, via, request, variant);
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
        redirectTo(response, this.#contents.playStoreUrl(answer.page, parsed, 'store'), requestId, redirectStatus);
        break;
      case 'preview':
        sendPreview(request, response, this.#pages.preview(parsed), link, requestId);
        break;
      case 'in-app-browser':
      case 'get-the-app':
      case 'other-scheme':
      case 'landing': {
        const language = pageLanguageOf(request.headers['accept-language']);
        sendDevicePage(request, response, this.#pages.page(answer, parsed, language), language, requestId);
      }
    }
    this.clicks.record(visit, visitor, via, request, variant);
    if (answer.kind === 'in-app-browser' && escape !== null && !visitor.robot) this.clicks.offerEscape(visit, request);
    return answer.kind;
  }

  /**
   * Answers a visit after the end of the link. It counts apart from clicks.
   * @param visitor null for the form of a page, which the visitor got before the end
   */
  #sendExpired(
    visit: Visit,
    visitorQuery: string,
    visitor: Visitor | null,
    request: IncomingMessage,
    response: ServerResponse,
  ): VisitAnswer {
    const { project, link, requestId } = visit;
    const location = expiredLocation(project, link, visitorQuery);
    if (location === null) sendMessage(request, response, 410, expiredPage, { 'X-Request-Id': requestId });
    else redirectTo(response, location, requestId, request.method === 'POST' ? 303 : 302);
    this.clicks.recordEnded(visit, visitor, request);
    return 'expired';
  }

  /** Returns whether the tap after a prefetch must ask again, because the answer has its token or click id, or counts its click. */
  #belongsToTap(visit: Visit, answer: Answer, visitor: Visitor, via: string | null, request: IncomingMessage): boolean {
    if (request.method !== 'GET' || answer.kind === 'disabled') return false;
    if (hasClickId(answer) || (hasToken(answer) && visit.longQuery === undefined)) return true;
    return this.clicks.counts(visit, visitor, via, request);
  }
}
