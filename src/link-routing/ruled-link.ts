import { type LinkRules, rulesOf } from '../links/link-rules/link-rules';
import { type LinkVariants, type Variant, variantsOf } from '../links/link-rules/variants';
import type { ReferrerParams } from '../shared/referrer-params';
import { type CompiledCondition, compileConditions, type RuleFacts } from './rules';
import { compileVariants } from './variants';
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

/** Compiles the rules and variants of a link as stored. */
export function compileLink<L extends VisitedLink>(
  link: L,
  stored: { rules: LinkRules | null; variants: LinkVariants | null },
  path: string,
): L {
  if (stored.rules === null && stored.variants === null) return link;
  const variants = variantsOf(stored.variants);
  const split = withVariants(link, variants, path);
  if (stored.rules === null) return split;
  const { rules, web } = compileRules(split, stored.rules, path, variants);
  // A locked link is opened by no app, whatever its rules say.
  return { ...split, rules, web: link.web ?? web };
}

const withVariants = <L extends VisitedLink>(link: L, variants: readonly Variant[], path: string): L => ({
  ...link,
  variants: compileVariants(link, variants, path, false),
});

/**
 * Compiles the rules of a link. Each rule is the link with other destinations, so that one function decides all answers.
 * @param path the visited path
 * @param ofLink the variants of the link
 */
export function compileRules<L extends VisitedLink>(
  link: L,
  json: LinkRules,
  path: string,
  ofLink: readonly Variant[] = [],
): { rules: VisitedRule<L>[]; web: WebPlatforms } {
  const stored = rulesOf(json);
  const web = webPlatforms(stored);
  const rules = stored.flatMap(({ when, then }, at): VisitedRule<L>[] => {
    const conditions = compileConditions(when);
    if ('app' in then) return [{ at, conditions, link, opens: 'app' }];
    if ('store' in then) {
      const ruled = { ...link, iosFallbackUrl: null, androidFallbackUrl: null };
      return [{ at, conditions, link: withVariants(ruled, ofLink, path), opens: 'store' }];
    }
    const ruled = {
      ...link,
      iosDeferredDeepLink: false,
      // A phone that the link sends to the web gets no offer of the app either.
      iosAppId: web.ios ? null : link.iosAppId,
      androidAppId: web.android ? null : link.androidAppId,
      referrerParams: mergedParams(link.referrerParams, then.params),
    };
    const isSplit = 'variants' in then;
    const variants = compileVariants(
      ruled,
      isSplit ? then.variants : [{ name: '', url: then.url, weight: 1 }],
      path,
      true,
    );
    if (variants === null) return [];
    const to = isSplit ? { variants } : { variant: null };
    return [{ at, conditions, link: { ...variants[0]!.link, ...to }, opens: 'url' }];
  });
  return { rules, web };
}

/** Returns the parameters of the link and of the rule, which replace those of the same name. */
function mergedParams(ofLink: ReferrerParams, ofRule: Record<string, string> = {}): ReferrerParams {
  const added = Object.entries(ofRule);
  if (added.length === 0) return ofLink;
  return [...ofLink.filter(([name]) => !Object.hasOwn(ofRule, name)), ...added];
}
