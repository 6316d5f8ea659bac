import type { I18n } from '../../i18n/i18n';
import { isMessageKey } from '../../i18n/text';

/** Returns the text of the type of an event. A newer service may have types that this console does not know. */
export function typeText(t: I18n['t'], type: string): string {
  const event = `history.event.${type}`;
  if (isMessageKey(event)) return t(event);
  const [kind, action] = type.split('.');
  const [ofKind, ofAction] = [`history.kind.${kind}`, `history.action.${action}`];
  return isMessageKey(ofKind) && isMessageKey(ofAction) ? `${t(ofKind)}: ${t(ofAction)}` : type;
}
