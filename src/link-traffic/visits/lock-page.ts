import { lockPage } from '../../link-routing/pages/lock';
import { referringHost } from '../../link-routing/visitor/referring-host';
import { sendMessage } from '../answers/answer-page';
import type { Exchange } from '../exchange';
import type { Visit, VisitAnswer } from './visit';

/** Sends the page before the destination. It does not count as a click. */
export function sendLockPage(
  exchange: Exchange,
  { link }: Visit,
  opening: 'closed' | 'wrong' | 'busy' = 'closed',
): VisitAnswer {
  const card = {
    hasPassword: link.lock?.passwordHash !== null,
    fault: opening === 'closed' ? null : opening,
    referringHost: referringHost(exchange.request.headers.referer),
  };
  const status = { closed: 200, wrong: 403, busy: 429 }[opening];
  sendMessage(exchange, status, (language) => lockPage(card, language));
  return 'locked';
}
