import type { IncomingMessage } from 'node:http';
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
import type { Exchange } from '../exchange';
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
  answer(exchange: Exchange, visit: Visit): VisitAnswer | null {
    const { visitorQuery, via } = readVisitorQuery(visit.query);
    return this.#send(exchange, visit, visitorQuery, via);
  }

  /** Returns null, and sends nothing, if the query has no long link that the project serves. */
  answerLongLink(exchange: Exchange, visit: LongLinkVisit): VisitAnswer | null {
    const { visitorQuery: query, via } = readVisitorQuery(visit.query);
    const read = readLongLink(visit.project, query);
    if (typeof read === 'string') return null;
    return this.#send(exchange, visitOfLongLink(visit, read), read.visitorQuery, via);
  }

  /** Answers the form of a locked link. Returns null, and sends nothing, if the link has not begun. */
  async unlock(exchange: Exchange, visit: Visit, lock: LinkLock): Promise<VisitAnswer | null> {
    const { visitorQuery, via } = readVisitorQuery(visit.query);
    const { link, project } = visit;
    const life = lifeAt(link, this.clickReader.now());
    if (link.disabled || life === 'before') return this.#send(exchange, visit, visitorQuery, via);
    const opening = life === 'after' ? 'used_up' : await this.locks.open({ id: link.id, lock }, exchange);
    if (opening === 'open') return this.#send(exchange, visit, visitorQuery, via, true);
    if (opening !== 'used_up') return sendLockPage(exchange, visit, opening);
    return this.#sendExpired(exchange, visit, forwardedQuery(project, link, visitorQuery), null);
  }

  /** @param isUnlocked the visitor has sent the form of the page before the destination */
  #send(
    exchange: Exchange,
    visit: Visit,
    sentQuery: string,
    via: string | null,
    isUnlocked = false,
  ): VisitAnswer | null {
    const { request } = exchange;
    const { project, link } = visit;
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
      if (life === 'after') return this.#sendExpired(exchange, visit, visitorQuery, visitor);
      if (link.lock !== null && !isUnlocked && !link.disabled) return sendLockPage(exchange, visit);
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
      refusePrefetch(exchange);
      return 'prefetch';
    }
    const redirectStatus = isUnlocked ? 303 : 302;
    // The hot path comes first and allocates nothing unnecessary.
    if (answer.kind === 'redirect' && answer.clickIdParam === undefined) {
      redirectTo(exchange, answer.location, redirectStatus);
      this.clicks.record(visit, visitor, via, request, variant);
      return answer.kind;
    }
    if (answer.kind === 'disabled') {
      sendMessage(exchange, 410, disabledPage);
      return answer.kind;
    }
    const offersEscape = visitor.inAppBrowser && (answer.kind === 'in-app-browser' || answer.kind === 'other-scheme');
    const escape = offersEscape ? this.escapes.offer(sender, !visitor.robot, request) : null;
    const parsed = { ...visit, link: decided, visitor, visitorQuery, wasOfferedApp, request, variant, escape };
    switch (answer.kind) {
      case 'redirect':
        redirectTo(exchange, this.#contents.redirectUrl(answer, parsed), redirectStatus);
        break;
      case 'play-store':
        redirectTo(exchange, this.#contents.playStoreUrl(answer.page, parsed, 'store'), redirectStatus);
        break;
      case 'preview':
        sendPreview(exchange, this.#pages.preview(parsed), link);
        break;
      case 'in-app-browser':
      case 'get-the-app':
      case 'other-scheme':
      case 'landing': {
        const language = pageLanguageOf(request.headers['accept-language']);
        sendDevicePage(exchange, this.#pages.page(answer, parsed, language), language);
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
  #sendExpired(exchange: Exchange, visit: Visit, visitorQuery: string, visitor: Visitor | null): VisitAnswer {
    const { request } = exchange;
    const location = expiredLocation(visit.project, visit.link, visitorQuery);
    if (location === null) sendMessage(exchange, 410, expiredPage);
    else redirectTo(exchange, location, request.method === 'POST' ? 303 : 302);
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
