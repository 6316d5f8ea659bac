import type { RulePlatform } from '../../link-paths/rules/rule-values';
import type { Platform } from '../../link-routing/visitor/device-platform';
import { preferredLanguageOf } from '../../link-routing/visitor/preferred-language';
import type { RuleFacts } from '../../link-routing/visited-link/rules';
import { type System, systemOf } from '../../link-routing/visitor/system';
import { type EmbeddedBrowser, embeddedBrowserOf } from '../../link-routing/escapes/embedded-browser';
import { type Visitor, type VisitorHeaders, visitorOf } from '../../link-routing/visitor/visitor';
import type { PageLanguage } from '../../link-routing/pages/page-texts';
import type { DecisionTrace } from '../../link-routing/visitor/decision-trace';

export interface SimulatedVisit {
  visitor: NamedVisitor | VisitorHeaders;
  /** The host of the URL, for released versions of apps; null for that of the links. */
  host: string | null;
  query: string;
  language: PageLanguage;
  facts: SimulatedFacts;
  /** Name of the variant that the visitor gets, if people get it; otherwise it is the first one. */
  variant: string | null;
}

/** The facts that rules of links compare beside the visitor and the query. */
export interface SimulatedFacts {
  acceptLanguage: string;
  country: string | null;
  /** Milliseconds since 1970; null for now. */
  at: number | null;
  referringHost: string | null;
  address: string | null;
  appVersion: string | null;
}

/** Systems, and a computer of any system. */
export type NamedPlatform = RulePlatform | 'desktop';

const platformOf = (named: NamedPlatform): Platform => {
  if (named === 'ipados') return 'ios';
  return named === 'ios' || named === 'android' ? named : 'desktop';
};

/** A person, described by platform instead of headers. */
interface NamedVisitor {
  platform: NamedPlatform;
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
  const person = { socialCrawler: false, robot: false, browser: null, macintosh: false };
  const { platform, inAppBrowser } = described;
  return { platform: platformOf(platform), inAppBrowser, ...person, androidStore: null };
}

/**
 * Returns the facts that rules compare, as link traffic reads them from a request.
 * @param query without the reserved parameters
 */
export function simulatedFacts(
  { visitor: described, facts }: SimulatedVisit,
  visitor: Visitor,
  query: string,
  via: string | null,
  now: number,
): RuleFacts {
  const { acceptLanguage, at, ...others } = facts;
  return {
    ...others,
    at: at ?? now,
    system: simulatedSystem(described, visitor),
    browser: visitor.browser,
    language: preferredLanguageOf(asHeaderText(acceptLanguage)),
    query,
    qr: via === 'qr',
  };
}

function simulatedSystem(described: SimulatedVisit['visitor'], visitor: Visitor): System {
  if (!('platform' in described))
    return systemOf(visitor, fieldValue(described.userAgent) ?? '', fieldValue(described.clientHint) ?? '');
  return { platform: described.platform === 'desktop' ? 'other' : described.platform, version: null };
}

export const simulatedBrowser = (headers: VisitorHeaders, visitor: Visitor): EmbeddedBrowser | null =>
  embeddedBrowserOf(visitor, fieldValue(headers.userAgent) ?? '', fieldValue(headers.clientHint) ?? '');

/** Encodes text as Node decodes header fields: each UTF-8 byte becomes one Latin-1 character. */
export const asHeaderText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Returns the field value without surrounding white space (RFC 9110, section 5.5); undefined for an absent field. */
const fieldValue = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : asHeaderText(text).replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
