import type { MessageKey } from '../../i18n/text';
import { lostInRules } from '../../rules/lost-in-rules';
import { missingWeights } from '../../rules/variants';
import { type LinkValues, objectOf } from './link-values';

/** Returns messages by field for input that a save would drop. */
export function lostInput(values: LinkValues, saved: LinkValues): Record<string, MessageKey> {
  const lost: Record<string, MessageKey> = {};
  // A link keeps its path if a change names none. A new link gets a random one.
  if (saved.custom_path !== '' && values.custom_path.trim() === '') lost['custom_path'] = 'link.fault.noPath';
  if (values.app_data.trim() !== '' && objectOf(values.app_data) === null) lost['app_data'] = 'link.fault.noObject';
  if (saved.password === null && values.password === '') lost['password'] = 'link.fault.noPassword';
  for (const path of missingWeights(values.variants, 'variants')) lost[path] = 'link.fault.noWeight';
  return { ...lost, ...lostInRules(values.rules, values.referrer_params) };
}
