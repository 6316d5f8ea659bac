import type { MessageKey } from '../i18n/text';
import type { Pair, RuleDraft } from './rule-drafts';
import { missingWeights, type VariantRow } from './variants';

/** Returns the paths of parameters whose names repeat, of which a save would drop all but the last. */
const repeatedNames = (rows: unknown, path: string): string[] =>
  ((rows ?? []) as Pair[])
    .filter(({ key }, at, all) => all.findIndex((row) => row.key === key) < at)
    .map(({ key }) => `${path}.${key}`);

/**
 * Returns messages by field for input of rules that a save would drop.
 * @param params parameters beside the rules
 */
export function lostInRules(drafts: readonly RuleDraft[], params: readonly Pair[] = []): Record<string, MessageKey> {
  const repeated = drafts.flatMap(({ when, then }, at) => [
    ...repeatedNames(when['query'], `rules.${at}.when.query`),
    ...repeatedNames(then['params'], `rules.${at}.then.params`),
  ]);
  const unweighted = drafts.flatMap(({ then }, at) =>
    missingWeights((then['variants'] ?? []) as VariantRow[], `rules.${at}.then.variants`),
  );
  return Object.fromEntries([
    ...[...repeatedNames(params, 'referrer_params'), ...repeated].map((path) => [path, 'link.fault.repeatedName']),
    ...unweighted.map((path) => [path, 'link.fault.noWeight']),
  ]) as Record<string, MessageKey>;
}
