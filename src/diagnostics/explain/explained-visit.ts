import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { Answer } from '../../link-routing/answers/answer';
import {
  addressOn,
  AnswerContents,
  type OfferedEscape,
  type ParsedVisit,
  phonePlatformOf,
} from '../../link-routing/answers/answer-contents';
import { continuationOf } from '../../link-routing/visitor/continuation';
import type { DecisionTrace } from '../../link-routing/visitor/decision-trace';
import { countsConversions, decideAnswer, isOwnApp, variantOf } from '../../link-routing/answers/destination';
import { expiredLocation, lifeAt } from '../../link-routing/visited-link/life';
import { openAnswer } from '../../link-routing/answers/open-answer';
import { percentEncodeNonAscii } from '../../link-routing/visited-link/query-merge';
import { unknownAddressUrl } from '../../link-routing/visited-link/unknown-address';
import { firstVariant } from '../../link-routing/visited-link/variants';
import type { VisitedLink, VisitedVariant } from '../../link-routing/visited-link/visited-link';
import { resolveIpad, type Visitor } from '../../link-routing/visitor/visitor';
import { forwardedQuery, forwardingOf, readVisitorQuery } from '../../link-routing/visited-link/visitor-query';
import { explainedAnswer, explainedRedirect, lockedAnswer, messageAnswer } from './explained-answer';
import { explainRelease } from './explained-release';
import { explainRules } from './explained-rules';
import type { ExplainedPlace, Explanation } from './explanation';
import { openingApps } from './opening-apps';
import {
  asHeaderText,
  simulatedBrowser,
  simulatedFacts,
  simulatedVisitor,
  type SimulatedVisit,
} from './simulated-visit';
import { type Step, stepOf } from './steps';

const tokenPlaceholder = 'TOKEN';
const clickIdPlaceholder = 'CLICK_ID';

interface AskedVisit extends Pick<ParsedVisit, 'link' | 'path' | 'visitorQuery' | 'longQuery'> {
  /** The path in the address, if it is not that of the link. Phones compare it with the paths of apps. */
  asked?: string;
}

/** Walks the decisions of link traffic for one simulated visit, and notes each. */
export class ExplainedVisit {
  readonly #steps: Step[] = [];
  /** The query without the reserved parameters. */
  readonly visitorQuery: string;
  readonly #via: string | null;

  constructor(
    private readonly place: ExplainedPlace,
    private readonly simulated: SimulatedVisit,
  ) {
    // Browsers percent-encode what is not ASCII, and do not send the fragment.
    const query = percentEncodeNonAscii(asHeaderText(simulated.query.split('#', 1)[0]!));
    const { visitorQuery, via } = readVisitorQuery(query);
    this.visitorQuery = visitorQuery;
    this.#via = via;
    if (query !== '') this.trace('query', visitorQuery === query ? 'kept' : 'reserved_taken_off');
  }

  readonly trace: DecisionTrace = (rule, finding) => void this.#steps.push(stepOf(rule, finding));

  answer(asked: AskedVisit): Explanation {
    const { hosts, project } = this.place;
    const { language } = this.simulated;
    const { link, path, longQuery } = asked;
    this.#traceForwarding(link, asked.visitorQuery);
    const visitorQuery = forwardedQuery(project, link, asked.visitorQuery);
    const visitor = this.#visitor((packageName) => isOwnApp(packageName, project, link));
    const wasOfferedApp = continuationOf(this.#via)?.wasOfferedApp ?? false;
    const facts = simulatedFacts(this.simulated, visitor, asked.visitorQuery, this.#via, this.place.now);
    const clickId = countsConversions(project, link) ? clickIdPlaceholder : null;
    const open =
      longQuery === undefined
        ? openAnswer(hosts, project, link, facts, clickId, (variants) => this.#chosen(variants))
        : null;
    const life = link.disabled ? 'active' : lifeAt(link, facts.at);
    const address = asked.asked ?? path;
    if (life === 'before') {
      this.trace('life', 'not_begun');
      return this.#unknown(address, path, asked.visitorQuery, visitor);
    }
    const plain = {
      url: addressOn(hosts, project, asked),
      visitor,
      rules: [],
      variant: null,
      issuesToken: false,
      open,
    };
    if (life === 'after') {
      this.trace('life', link.lock?.isUsedUp ? 'used_up' : 'ended');
      const location = expiredLocation(project, link, visitorQuery);
      const answer = location === null ? messageAnswer('expired', language) : explainedRedirect(location);
      return this.#explanation({ ...plain, answer }, address, link.web);
    }
    if (link.activeFrom !== null || link.activeUntil !== null) this.trace('life', 'active');
    const { rules, match } = explainRules(link.rules ?? [], facts);
    if (link.rules !== null && !link.disabled) this.trace('rules', match ? 'matched' : 'none_matched');
    if (link.lock !== null && !link.disabled) {
      const hasPassword = link.lock.passwordHash !== null;
      this.trace('lock', hasPassword ? 'password' : 'button');
      return this.#explanation({ ...plain, rules, answer: lockedAnswer(hasPassword, language) }, address, link.web);
    }
    const { variants } = match?.link ?? link;
    const variant = variants && this.#chosen(variants, link.disabled ? undefined : visitor);
    const decided = variant?.link ?? match?.link ?? link;
    const answer = decideAnswer(project, decided, visitor, visitorQuery, wasOfferedApp, this.trace);
    let issuesToken = false;
    const issueToken = () => {
      // A claim returns a stored link.
      if (longQuery !== undefined) return null;
      issuesToken = phonePlatformOf(visitor) !== null;
      this.trace('token', issuesToken ? 'issued' : 'robot');
      return issuesToken ? tokenPlaceholder : null;
    };
    const contents = new AnswerContents(hosts, issueToken, () => {
      this.trace('click_id', visitor.robot ? 'robot' : 'issued');
      return visitor.robot ? null : clickIdPlaceholder;
    });
    const escape = this.#escapeOf(answer, visitor);
    const visit = { ...asked, link: decided, project, visitorQuery, visitor, wasOfferedApp, escape };
    const explained = explainedAnswer(answer, contents, visit, language);
    const parts = { ...plain, rules, variant: variantOf(answer), answer: explained, issuesToken };
    return this.#explanation(parts, address, link.web);
  }

  /** @param decoded the path without percent-encoding */
  notFound(path: LinkPath, decoded: string): Explanation {
    const visitor = this.#visitor(() => false);
    return this.#unknown(decoded, path, this.visitorQuery, visitor);
  }

  /** @param visitor whose finding is traced; absent for apps and disabled links */
  #chosen(variants: readonly VisitedVariant[], visitor?: Visitor): VisitedVariant {
    const named = variants.find(({ name, weight }) => name === this.simulated.variant && weight > 0);
    if (visitor && !visitor.robot) this.trace('variant', named ? 'named' : 'first');
    else if (visitor) this.trace('variant', 'robot');
    return named && !visitor?.robot ? named : firstVariant(variants);
  }

  #unknown(decoded: string, path: LinkPath, query: string, visitor: Visitor): Explanation {
    const elsewhere = unknownAddressUrl(this.place.project, decoded, query);
    if (elsewhere !== null) this.#traceForwarding(null, query);
    const answer =
      elsewhere === null ? messageAnswer('not_found', this.simulated.language) : explainedRedirect(elsewhere);
    const url = addressOn(this.place.hosts, this.place.project, { path, visitorQuery: query });
    return this.#explanation({ url, visitor, rules: [], variant: null, answer, issuesToken: false, open: null }, path);
  }

  #explanation(
    parts: Omit<Explanation, 'apps' | 'steps' | 'releases'>,
    path: string,
    web: VisitedLink['web'] = null,
  ): Explanation {
    const { project, links, examined, withoutApps } = this.place;
    const apps = withoutApps ? [] : openingApps(project, path, this.#via, links, web);
    const releases = (examined?.releases ?? [])
      .filter(({ platform }) => platform === parts.visitor.platform)
      .map((release) => explainRelease(release, examined!, path, apps));
    return { ...parts, apps, releases, steps: this.#steps };
  }

  /** Returns the preferred way. Its URL has no marker, because an explanation counts nowhere. */
  #escapeOf({ kind }: Answer, visitor: Visitor): OfferedEscape | null {
    // A request that describes the visitor by the platform names no app.
    if ('platform' in this.simulated.visitor) return null;
    if (!visitor.inAppBrowser || (kind !== 'in-app-browser' && kind !== 'other-scheme')) return null;
    const browser = simulatedBrowser(this.simulated.visitor, visitor);
    const chosen = browser && this.place.escapes.offerTo(browser, null);
    this.trace('browser_escape', chosen?.reason ?? 'none');
    return chosen && { address: chosen.address, via: 'browser-page' };
  }

  #traceForwarding(link: VisitedLink | null, query: string): void {
    const { queryForwarding } = forwardingOf(this.place.project, link);
    if (query !== '' && queryForwarding !== 'all') this.trace('query_forwarding', queryForwarding);
  }

  #visitor(isOwn: (packageName: string | undefined) => boolean): Visitor {
    return resolveIpad(simulatedVisitor(this.simulated.visitor, this.trace, isOwn), this.#via, this.trace);
  }
}
