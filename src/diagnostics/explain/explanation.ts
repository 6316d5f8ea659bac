import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import {
  AnswerContents,
  type OfferedEscape,
  type ParsedVisit,
  phonePlatformOf,
} from '../../link-routing/answer-contents';
import type { Answer } from '../../link-routing/answer';
import { countsConversions, decideAnswer, isOwnApp, variantOf } from '../../link-routing/destination';
import { longLinkPath, readLongLink } from '../../link-routing/long-link';
import { decodePath, meantPaths, withoutFinalSlash } from '../../link-routing/meant-paths';
import { expiredLocation, lifeAt } from '../../link-routing/life';
import { openAnswer } from '../../link-routing/open-answer';
import { unknownAddressUrl } from '../../link-routing/unknown-address';
import { firstVariant } from '../../link-routing/variants';
import { visitedAs } from '../../link-routing/own-address';
import { percentEncodeNonAscii, toUriQuery } from '../../link-routing/query-merge';
import { type OpeningApp, openingApps } from './opening-apps';
import type { LinkOwnerships } from '../../link-paths/association-files/owned-paths';
import type { VisitedLink, VisitedProject, VisitedVariant } from '../../link-routing/visited-link';
import { resolveIpad, type Visitor } from '../../link-routing/visitor';
import { continuationOf } from '../../link-routing/continuation';
import { forwardedQuery, forwardingOf, readVisitorQuery } from '../../link-routing/visitor-query';
import type { DecisionTrace } from '../../link-routing/decision-trace';
import type { BrowserEscapes } from '../../link-routing/escape-choice';
import { type ExplainedRule, explainRules } from './explained-rules';
import {
  type ExplainedAnswer,
  explainedAnswer,
  expiredAnswer,
  lockedAnswer,
  notFoundAnswer,
  explainedRedirect,
} from './explained-answer';
import {
  asHeaderText,
  simulatedBrowser,
  simulatedFacts,
  simulatedVisitor,
  type SimulatedVisit,
} from './simulated-visit';
import { type ExaminedReleases, type ExplainedRelease, explainRelease } from './explained-release';
import { type Step, stepOf } from './steps';

export interface Explanation {
  /** The visited URL without the reserved parameters. */
  url: string;
  /** The installed apps that open the URL instead of a visit. */
  apps: OpeningApp[];
  visitor: Visitor;
  steps: Step[];
  /** The rules of the link, in their order. */
  rules: ExplainedRule[];
  /** Name of the variant that the answer leads to; null without one. */
  variant: string | null;
  answer: ExplainedAnswer;
  /** A real visit gets a deferred deep link token. */
  issuesToken: boolean;
  /** The released versions that the visit names, on its platform. */
  releases: ExplainedRelease[];
  /** The answer to an app that sends the URL; null if it gets none. */
  open: ReturnType<typeof openAnswer>;
}

const tokenPlaceholder = 'TOKEN';
const clickIdPlaceholder = 'CLICK_ID';

export interface ExplainedPlace {
  hosts: LinkHosts;
  /** Milliseconds since 1970 by the clock of the database. */
  now: number;
  project: VisitedProject;
  /** The links of the project, if its association files depend on them. */
  links: LinkOwnerships;
  escapes: Pick<BrowserEscapes, 'offerTo'>;
  /** The released versions that the visit names; null if it names none. */
  examined?: ExaminedReleases | null;
  /** Leaves `apps` empty, because they depend on the path alone. */
  withoutApps?: true;
}

/** Explains the answer of link traffic with the same code. Issues no token and records no click. */
export function explain(place: ExplainedPlace, simulated: SimulatedVisit, link: VisitedLink): Explanation {
  const explained = new ExplainedVisit(place, simulated);
  return explained.answer({ link, path: link.customPath, visitorQuery: explained.visitorQuery });
}

/**
 * Explains a visit of a path as a person typed or pasted it.
 * @param sent the path as sent, without the leading slash
 * @param find returns the link of the first of the paths that leads to one, with the path
 */
export async function explainPath(
  place: ExplainedPlace,
  simulated: SimulatedVisit,
  sent: string,
  find: (paths: readonly LinkPath[]) => Promise<{ path: LinkPath; link: VisitedLink } | null>,
): Promise<Explanation> {
  const encoded = percentEncodeNonAscii(asHeaderText(sent));
  const asked = decodePath(withoutFinalSlash(encoded));
  const meant = meantPaths(encoded);
  const match = meant.paths.length === 0 ? null : await find(meant.paths);
  if (match === null) {
    const explained = new ExplainedVisit(place, simulated);
    explained.trace('path', 'unknown');
    return explained.notFound(encoded as LinkPath, decodePath(encoded));
  }
  const { path } = match;
  const query = [meant.query, simulated.query].filter(Boolean).join('&');
  const explained = new ExplainedVisit(place, { ...simulated, query });
  const isInOtherCase = path.toLowerCase() === asked.toLowerCase();
  explained.trace('path', path === asked ? 'exact' : isInOtherCase ? 'letter_case' : 'cut');
  const { visitorQuery } = explained;
  return explained.answer({ path, link: visitedAs(match.link, asked), visitorQuery, asked });
}

/** Explains a visit of `/` whose query may be a long link. */
export function explainLongLink(place: ExplainedPlace, simulated: SimulatedVisit): Explanation {
  const explained = new ExplainedVisit(place, simulated);
  const path = longLinkPath as LinkPath;
  const read = readLongLink(place.project, explained.visitorQuery);
  explained.trace('long_link', typeof read === 'string' ? read : 'accepted');
  return typeof read === 'string' ? explained.notFound(path, path) : explained.answer({ path, ...read });
}

interface AskedVisit extends Pick<ParsedVisit, 'link' | 'path' | 'visitorQuery' | 'longQuery'> {
  /** The path in the address, if it is not that of the link. Phones compare it with the paths of apps. */
  asked?: string;
}

class ExplainedVisit {
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
    if (life === 'before') {
      this.trace('life', 'not_begun');
      return this.#unknown(asked.asked ?? path, path, asked.visitorQuery, visitor);
    }
    if (life === 'after') {
      this.trace('life', link.lock?.isUsedUp ? 'used_up' : 'ended');
      const location = expiredLocation(project, link, visitorQuery);
      const ended = location === null ? expiredAnswer(this.simulated.language) : explainedRedirect(location);
      const url = this.#urlOf(path, asked.visitorQuery);
      const parts = { url, visitor, rules: [], variant: null, answer: ended, issuesToken: false, open };
      return this.#explanation(parts, asked.asked ?? path, link.web);
    }
    if (link.activeFrom !== null || link.activeUntil !== null) this.trace('life', 'active');
    const { rules, match } = explainRules(link.rules ?? [], facts);
    if (link.rules !== null && !link.disabled) this.trace('rules', match ? 'matched' : 'none_matched');
    if (link.lock !== null && !link.disabled) {
      const hasPassword = link.lock.passwordHash !== null;
      this.trace('lock', hasPassword ? 'password' : 'button');
      const url = this.#urlOf(path, asked.visitorQuery);
      const page = lockedAnswer(hasPassword, this.simulated.language);
      return this.#explanation(
        { url, visitor, rules, variant: null, answer: page, issuesToken: false, open },
        asked.asked ?? path,
        link.web,
      );
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
    const explained = explainedAnswer(answer, contents, visit, this.simulated.language);
    const url = contents.urlOf({ ...visit, visitorQuery: asked.visitorQuery });
    return this.#explanation(
      { url, visitor, rules, variant: variantOf(answer), answer: explained, issuesToken, open },
      asked.asked ?? path,
      link.web,
    );
  }

  /** @param decoded the path without percent-encoding */
  notFound(path: LinkPath, decoded: string): Explanation {
    return this.#unknown(
      decoded,
      path,
      this.visitorQuery,
      this.#visitor(() => false),
    );
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
    const answer = elsewhere === null ? notFoundAnswer(this.simulated.language) : explainedRedirect(elsewhere);
    const url = this.#urlOf(path, query);
    return this.#explanation({ url, visitor, rules: [], variant: null, answer, issuesToken: false, open: null }, path);
  }

  #urlOf(path: LinkPath, visitorQuery: string): string {
    const query = toUriQuery(visitorQuery);
    return this.place.hosts.urlOf(this.place.project, path) + (query && `?${query}`);
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
    if (
      'platform' in this.simulated.visitor ||
      !visitor.inAppBrowser ||
      (kind !== 'in-app-browser' && kind !== 'other-scheme')
    )
      return null;
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
