import { type LinkRules, rulesOf } from '../../link-paths/rules/link-rules';
import { type LinkVariants, type Variant, variantsOf } from '../../link-paths/rules/variants';
import type { LinkTemplate } from '../../links/link-templates/link-template';
import type { ReferrerParams } from '../../shared/referrer-params';
import { matches, type RuleFacts } from './rules';
import { compileVariants } from './variants';
import type { VisitedLink, VisitedRule } from './visited-link';
import { type WebPlatforms, webPlatforms } from '../../link-paths/rules/web-platforms';

/** Returns the first rule that matches; null if none does. */
export const matchingRule = <L extends VisitedLink>(
  rules: readonly VisitedRule<L>[],
  facts: RuleFacts,
): VisitedRule<L> | null => rules.find(({ when }) => matches(when, facts)) ?? null;

/** The parameters and rules of a template, for its links. */
export type TemplateParts = Pick<LinkTemplate, 'name' | 'referrerParams' | 'rules'>;

/** Compiles the rules and variants of a link as stored. */
export function compileLink<L extends VisitedLink>(
  link: L,
  stored: { rules: LinkRules | null; variants: LinkVariants | null },
  path: string,
  template: TemplateParts | null = null,
): L {
  if (stored.rules === null && stored.variants === null && !template?.rules) return link;
  const variants = variantsOf(stored.variants);
  const split = withVariants(link, variants, path);
  const compiled = compileRules(split, stored.rules, path, variants, template);
  // A locked link is opened by no app, whatever its rules say.
  return compiled ? { ...split, rules: compiled.rules, web: link.web ?? compiled.web } : split;
}

const withVariants = <L extends VisitedLink>(link: L, variants: readonly Variant[], path: string): L => ({
  ...link,
  variants: compileVariants(link, variants, path, false),
});

/**
 * Compiles the rules of a link, and those of its template after them. Each rule is the link with other destinations, so that one
 * function decides all answers. Returns nothing if there are no rules.
 * @param path the visited path
 * @param ofLink the variants of the link
 */
export function compileRules<L extends VisitedLink>(
  link: L,
  json: LinkRules | null,
  path: string,
  ofLink: readonly Variant[] = [],
  template: TemplateParts | null = null,
): { rules: VisitedRule<L>[]; web: WebPlatforms } | null {
  if (json === null && !template?.rules) return null;
  const own = rulesOf(json);
  const stored = [...own, ...rulesOf(template?.rules ?? null)];
  const web = webPlatforms(stored);
  const rules = stored.flatMap(({ when, then }, place): VisitedRule<L>[] => {
    const isOwn = place < own.length;
    const from = { at: isOwn ? place : place - own.length, template: isOwn ? null : template!.name, when };
    if ('app' in then) return [{ ...from, link, opens: 'app' }];
    if ('store' in then) {
      const ruled = { ...link, iosFallbackUrl: null, androidFallbackUrl: null };
      return [{ ...from, link: withVariants(ruled, ofLink, path), opens: 'store' }];
    }
    const ruled = {
      ...link,
      iosDeferredDeepLink: false,
      // A phone that the link sends to the web gets no offer of the app either.
      iosAppId: web.ios ? null : link.iosAppId,
      androidAppId: web.android ? null : link.androidAppId,
      referrerParams: mergedParams(link.referrerParams, Object.entries(then.params ?? {})),
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
    return [{ ...from, link: { ...variants[0]!.link, ...to }, opens: 'url' }];
  });
  return { rules, web };
}

/** Returns the parameters with others, which replace those of the same name. */
export function mergedParams(params: ReferrerParams, others: ReferrerParams): ReferrerParams {
  if (others.length === 0) return params;
  const replaced = new Set(others.map(([name]) => name));
  return [...params.filter(([name]) => !replaced.has(name)), ...others];
}
