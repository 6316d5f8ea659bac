import type { Platform } from '../../link-routing/platform';
import { type Visitor, visitorOf } from '../../link-routing/visitor';
import type { DecisionTrace } from '../../link-routing/decision-trace';

/** A visit that nobody has made. */
export interface AskedVisit {
  visitor: NamedVisitor | { userAgent: string; clientHint: string | undefined };
  /** What its URL would have behind `?`. */
  query: string;
}

/** A person with a browser of this kind, and nothing else that would be looked at. */
interface NamedVisitor {
  platform: Platform;
  inAppBrowser: boolean;
}

export function askedVisitor(asked: AskedVisit['visitor'], trace: DecisionTrace): Visitor {
  if (!('platform' in asked)) {
    const { userAgent, clientHint } = asked;
    return visitorOf(
      { userAgent: fieldValue(userAgent), clientHint: clientHint === undefined ? undefined : fieldValue(clientHint) },
      trace,
    );
  }
  trace('platform', 'given');
  return { ...asked, socialCrawler: false, robot: false, browser: null, macintosh: false };
}

/** Text as Node hands it on when it has come in the head of a request: its bytes, each a Latin-1 character. */
export const asReceived = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Without the white space around it, which is no part of it (RFC 9110, section 5.5). */
const fieldValue = (text: string): string => asReceived(text).replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
