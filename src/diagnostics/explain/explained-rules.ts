import { matchingRule } from '../../link-routing/visited-link/ruled-link';
import { type RuleFacts, unmetConditions } from '../../link-routing/visited-link/rules';
import type { VisitedLink, VisitedRule } from '../../link-routing/visited-link/visited-link';
import type { ConditionName, When } from '../../link-paths/rules/rule-values';

export const ruleOutcomes = ['matched', 'not_matched', 'not_reached'] as const;

export interface ExplainedRule {
  /** Its index in `rules` of the link, or of the template. */
  index: number;
  /** Name of the template that has the rule; null if the link has it. */
  template: string | null;
  outcome: (typeof ruleOutcomes)[number];
  /** The conditions that do not hold. */
  unmet: ConditionName[];
  reason: string;
}

/** Evaluates the rules of a link as visits do, and says of each why it does not match. */
export function explainRules<L extends VisitedLink>(
  rules: readonly VisitedRule<L>[],
  facts: RuleFacts,
): { rules: ExplainedRule[]; match: VisitedRule<L> | null } {
  const match = matchingRule(rules, facts);
  const deciding = match ? rules.indexOf(match) : rules.length;
  const explained = rules.map(({ at: index, template, when }, place) => {
    const finding = place > deciding ? notReached : place === deciding ? matched : notMatched(when, facts);
    return { index, template, ...finding };
  });
  return { rules: explained, match };
}

type Finding = Omit<ExplainedRule, 'index' | 'template'>;

const notReached: Finding = { outcome: 'not_reached', unmet: [], reason: 'An earlier rule matches.' };
const matched: Finding = { outcome: 'matched', unmet: [], reason: 'All conditions hold, so this rule decides.' };

function notMatched(when: When, facts: RuleFacts): Finding {
  const unmet = unmetConditions(when, facts);
  return { outcome: 'not_matched', unmet, reason: unmet.map((name) => reasons[name](facts)).join(' ') };
}

const shown = (value: string | null): string => value ?? 'unknown';
const versionOf = ({ system }: RuleFacts): string => shown(system.version?.join('.') ?? null);
const timeOf = ({ at }: RuleFacts): string => new Date(at).toISOString();

const reasons: Record<ConditionName, (facts: RuleFacts) => string> = {
  platforms: ({ system }) => `The platform is ${system.platform}.`,
  os_version: (facts) => `The version of the system is ${versionOf(facts)}.`,
  browsers: ({ browser }) => `The browser is ${shown(browser)}.`,
  countries: ({ country }) => `The country is ${shown(country)}.`,
  languages: ({ language }) => `The preferred language is ${shown(language)}.`,
  from: (facts) => `The visit is at ${timeOf(facts)}, before from.`,
  until: (facts) => `The visit is at ${timeOf(facts)}, and until is the first moment after the rule.`,
  query: () => 'The query lacks a parameter or its value.',
  referring_hosts: ({ referringHost }) => `The referring host is ${shown(referringHost)}.`,
  networks: ({ address }) =>
    address === null ? 'No trusted proxy states the address.' : 'The address is in none of the networks.',
  qr: ({ qr }) => (qr ? 'The visit comes from a QR code.' : 'The visit does not come from a QR code.'),
  app_version: ({ appVersion }) =>
    appVersion === null ? 'Only the request of an app states its version.' : `The version of the app is ${appVersion}.`,
};
