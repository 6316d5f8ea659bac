import type { I18n } from '../i18n/i18n';
import { isMessageKey } from '../i18n/text';

/** Names a condition in the reader's language. One that this console does not know has the name of the API. */
export function conditionText(name: string, t: I18n['t']): string {
  const key = `rules.condition.${name}`;
  return isMessageKey(key) ? t(key) : name;
}
