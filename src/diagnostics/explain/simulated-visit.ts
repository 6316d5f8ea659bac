import type { Platform } from '../../link-routing/device-platform';
import { type Visitor, type VisitorHeaders, visitorOf } from '../../link-routing/visitor';
import type { PageLanguage } from '../../link-routing/pages/page-texts';
import type { DecisionTrace } from '../../link-routing/decision-trace';

export interface SimulatedVisit {
  visitor: NamedVisitor | VisitorHeaders;
  query: string;
  language: PageLanguage;
}

/** A person, described by platform instead of headers. */
interface NamedVisitor {
  platform: Platform;
  inAppBrowser: boolean;
}

/** @param isOwnApp returns whether a package is that of the app that the visited link opens */
export function simulatedVisitor(
  described: SimulatedVisit['visitor'],
  trace: DecisionTrace,
  isOwnApp: (packageName: string | undefined) => boolean,
): Visitor {
  if (!('platform' in described)) {
    const requestedWith = fieldValue(described.requestedWith);
    const headers = { userAgent: fieldValue(described.userAgent), clientHint: fieldValue(described.clientHint) };
    return visitorOf({ ...headers, requestedWith: isOwnApp(requestedWith) ? undefined : requestedWith }, trace);
  }
  trace('platform', 'given');
  const person = { socialCrawler: false, robot: false, browser: null, escape: null, macintosh: false };
  return { ...described, ...person, androidStore: null };
}

/** Encodes text as Node decodes header fields: each UTF-8 byte becomes one Latin-1 character. */
export const asHeaderText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Returns the field value without surrounding white space (RFC 9110, section 5.5); undefined for an absent field. */
const fieldValue = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : asHeaderText(text).replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
