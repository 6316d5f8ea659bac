import type { Platform } from '../../link-routing/device-platform';
import { type Visitor, visitorOf } from '../../link-routing/visitor';
import type { PageLanguage } from '../../link-routing/pages/page-texts';
import type { DecisionTrace } from '../../link-routing/decision-trace';

/** The parameters of a simulated visit. */
export interface SimulatedVisit {
  visitor: NamedVisitor | { userAgent: string; clientHint: string | undefined };
  /** The query of the URL, without `?`. */
  query: string;
  /** The language of pages. */
  language: PageLanguage;
}

/** A person, described by platform instead of headers. */
interface NamedVisitor {
  platform: Platform;
  inAppBrowser: boolean;
}

export function simulatedVisitor(described: SimulatedVisit['visitor'], trace: DecisionTrace): Visitor {
  if (!('platform' in described)) {
    const { userAgent, clientHint } = described;
    return visitorOf(
      { userAgent: fieldValue(userAgent), clientHint: clientHint === undefined ? undefined : fieldValue(clientHint) },
      trace,
    );
  }
  trace('platform', 'given');
  return { ...described, socialCrawler: false, robot: false, browser: null, escape: null, macintosh: false };
}

/** Encodes text as Node decodes header fields: each UTF-8 byte becomes one Latin-1 character. */
export const asHeaderText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Returns the field value without surrounding white space (RFC 9110, section 5.5). */
const fieldValue = (text: string): string => asHeaderText(text).replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
