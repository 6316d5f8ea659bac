import type { TestedAnswer } from '../pages/link-test-texts';
import { decideAnswer } from './destination';
import { expiredLocation, lifeAt } from '../visited-link/life';
import { matchingRule } from '../visited-link/ruled-link';
import type { RuleFacts } from '../visited-link/rules';
import { unknownAddressUrl } from '../visited-link/unknown-address';
import type { VisitedLink, VisitedProject, VisitedVariant } from '../visited-link/visited-link';
import type { Visitor } from '../visitor/visitor';
import { forwardedQuery } from '../visited-link/visitor-query';

/**
 * Returns the answer that a visit gets, by the decisions of link traffic. It has nothing of a locked link.
 * @param path the path without its leading slash
 * @param link null for an address without a link
 * @param facts the values that rules compare
 * @param choose returns the variant of the visitor
 */
export function testedAnswer(
  project: VisitedProject,
  path: string,
  link: VisitedLink | null,
  visitor: Visitor,
  facts: RuleFacts,
  choose: (variants: readonly VisitedVariant[]) => VisitedVariant,
): TestedAnswer {
  const life = link && (link.disabled ? 'active' : lifeAt(link, facts.at));
  if (link === null || life === 'before')
    return { kind: 'not-found', location: unknownAddressUrl(project, path, facts.query) };
  const query = forwardedQuery(project, link, facts.query);
  if (life === 'after') return { kind: 'expired', location: expiredLocation(project, link, query) };
  if (link.lock !== null && !link.disabled) return { kind: 'locked', location: null };
  const ruled = (link.rules && matchingRule(link.rules, facts)?.link) ?? link;
  const decided = ruled.variants === null ? ruled : choose(ruled.variants).link;
  const answer = decideAnswer(project, decided, visitor, query, false);
  if (answer.kind === 'play-store') return { kind: 'redirect', location: answer.page };
  if (answer.kind === 'redirect') return { kind: 'redirect', location: answer.location };
  return { kind: answer.kind, location: answer.kind === 'other-scheme' ? answer.destination : null };
}
