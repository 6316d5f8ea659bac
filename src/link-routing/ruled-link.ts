import { type LinkRules, rulesOf } from '../links/link-rules/link-rules';
import type { ReferrerParams } from '../shared/referrer-params';
import { hostsOfSamePath } from './own-address';
import { type CompiledCondition, compileConditions, type RuleFacts } from './rules';
import { hasOtherSchemes, servedDestination } from './served-values';
import type { VisitedLink, VisitedRule } from './visited-link';
import { type WebPlatforms, webPlatforms } from '../links/link-rules/web-platforms';

/** Receives the finding of each rule, in order of evaluation: the conditions that do not hold; none if it matches. */
export type RuleTrace = (rule: number, unmet: readonly CompiledCondition[]) => void;

/** Returns the first rule that matches; null if none does. */
export function matchingRule<L extends VisitedLink>(
  rules: readonly VisitedRule<L>[],
  facts: RuleFacts,
  trace?: RuleTrace,
): VisitedRule<L> | null {
  for (const rule of rules) {
    if (trace)
      trace(
        rule.at,
        rule.conditions.filter(({ holds }) => !holds(facts)),
      );
    if (rule.conditions.every(({ holds }) => holds(facts))) return rule;
  }
  return null;
}

/**
 * Compiles the rules of a link. Each rule is the link with other destinations, so that one function decides all answers.
 * @param path the visited path
 */
export function compileRules<L extends VisitedLink>(
  link: L,
  json: LinkRules,
  path: string,
): { rules: VisitedRule<L>[]; web: WebPlatforms } {
  const stored = rulesOf(json);
  const web = webPlatforms(stored);
  const rules = stored.flatMap(({ when, then }, at): VisitedRule<L>[] => {
    const conditions = compileConditions(when);
    if ('app' in then) return [{ at, conditions, link, opens: 'app' }];
    if ('store' in then) {
      const ruled = { ...link, iosFallbackUrl: null, androidFallbackUrl: null };
      return [{ at, conditions, link: ruled, opens: 'store' }];
    }
    const url = servedDestination(then.url);
    if (url === null) return [];
    const ruled = {
      ...link,
      desktopUrl: url,
      iosFallbackUrl: url,
      androidFallbackUrl: url,
      iosDeferredDeepLink: false,
      // A phone that the link sends to the web gets no offer of the app either.
      iosAppId: web.ios ? null : link.iosAppId,
      androidAppId: web.android ? null : link.androidAppId,
      referrerParams: mergedParams(link.referrerParams, then.params),
      hostsOfSamePath: hostsOfSamePath(path, [url]),
      hasOtherSchemes: hasOtherSchemes([url]),
    };
    return [{ at, conditions, link: ruled, opens: 'url' }];
  });
  return { rules, web };
}

/** Returns the parameters of the link and of the rule, which replace those of the same name. */
function mergedParams(ofLink: ReferrerParams, ofRule: Record<string, string> = {}): ReferrerParams {
  const added = Object.entries(ofRule);
  if (added.length === 0) return ofLink;
  return [...ofLink.filter(([name]) => !Object.hasOwn(ofRule, name)), ...added];
}
