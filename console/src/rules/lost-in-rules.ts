import type { MessageKey } from '../i18n/text';
import type { Pair, RuleDraft } from './rule-drafts';
import { missingWeights, type VariantRow } from './variants';

type Lost = [path: string, message: MessageKey];

/** Returns messages at parameters that a save would drop: values without a name, and all but the last of a name. */
function lostNames(rows: unknown, path: string): Lost[] {
  const names = ((rows ?? []) as Pair[]).map(({ key }) => key.trim());
  return ((rows ?? []) as Pair[]).flatMap(({ value }, at): Lost[] => {
    const name = names[at]!;
    if (name === '') return value ? [[`${path}.${at}.key`, 'link.fault.noName']] : [];
    return names.indexOf(name) < at ? [[`${path}.${at}.key`, 'link.fault.repeatedName']] : [];
  });
}

/**
 * Returns messages by field for input of parameters and rules that a save would drop.
 * @param params parameters beside the rules
 */
export function lostInRules(drafts: readonly RuleDraft[], params: readonly Pair[]): Record<string, MessageKey> {
  const inRules = drafts.flatMap(({ when, then }, at) => [
    ...lostNames(when['query'], `rules.${at}.when.query`),
    ...lostNames(then['params'], `rules.${at}.then.params`),
    ...missingWeights((then['variants'] ?? []) as VariantRow[], `rules.${at}.then.variants`).map((path): Lost => [
      path,
      'link.fault.noWeight',
    ]),
  ]);
  return Object.fromEntries([...lostNames(params, 'referrer_params'), ...inRules]);
}
