import type { AppFields } from '../../links/apps/app';
import type { DestinationUrl } from '../../shared/destination-url';
import type { AppData } from '../../links/dynamic-links/app-data';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { ReferrerParams } from '../../shared/referrer-params';
import type { QueryForwarding } from '../../shared/query-forwarding';
import type { HostedAt } from '../../link-paths/paths/open-host';
import type { Project } from '../../links/projects/project';
import type { WebPlatforms } from '../../link-paths/rules/web-platforms';
import type { When } from '../../link-paths/rules/rule-values';

/** The read model of a project in link traffic: the parts of its host, and its apps by id. */
export interface VisitedProject extends Pick<
  Project,
  'id' | 'subdomain' | 'customDomain' | 'queryForwarding' | 'forwardedParams' | 'conversions' | 'clickIdParam'
> {
  /** The host that pages on the visited host use to open apps, because iOS opens none for a link on the page's own host. */
  opener: HostedAt;
  /** The visited host. “Continue” stays on it, because the browser then proves that the visitor comes from a page of this service. */
  visited: HostedAt;
  visitedHostname: string;
  /** The hosts to which long links may lead; empty if the project serves none. */
  longLinkDestinations: readonly string[];
  /** The destination of `/`; null without one, or on a host to which it leads. */
  rootUrl: DestinationUrl | null;
  /** The destination of unknown paths; null like `rootUrl`. */
  notFoundUrl: DestinationUrl | null;
  /** The destination of links that have ended; null like `rootUrl`. */
  expiredUrl: DestinationUrl | null;
  iosApps: ReadonlyMap<string, VisitedIosApp>;
  androidApps: ReadonlyMap<string, VisitedAndroidApp>;
}

export type VisitedIosApp = AppFields<'ios'>;
export type VisitedAndroidApp = AppFields<'android'>;

/** A rule of a link. */
export interface VisitedRule<Link extends VisitedLink = VisitedLink> {
  /** Its index in the rules of the link, or of the template. */
  at: number;
  /** Name of the template that has the rule; null if the link has it. */
  template: string | null;
  when: When;
  /** The link as visitors get it for whom the rule matches. */
  link: Link;
  /** The property of `then` that the rule has. */
  opens: 'url' | 'store' | 'app';
}

/** A compiled variant of a link or of its rule. */
export interface VisitedVariant<Link extends VisitedLink = VisitedLink> {
  name: string;
  /** 0 if nobody gets it. */
  weight: number;
  /** The link as visitors of the variant get it. */
  link: Link;
}

/** The page before the destination of a link: a button, and perhaps a password. */
export interface LinkLock {
  /** Null without a password. */
  readonly passwordHash: Buffer | null;
  /** Whether the button uses up a click. */
  readonly isLimited: boolean;
  readonly isUsedUp: boolean;
}

export type HostsOfDestinations = ReadonlyMap<DestinationUrl, string>;

/** The read model of a link in link traffic. Its URLs are validated after reading (`served-values.ts`). */
export interface VisitedLink {
  readonly id: string;
  /** The visited short link; null for the custom path. */
  readonly shortLinkId: string | null;
  /** The creator of the short link: `dashboard` or `api`. */
  readonly shortLinkSource: string | null;
  /** Empty for a long link. */
  readonly customPath: LinkPath;
  readonly externalId: string | null;
  /** JSON for apps. */
  readonly appData: AppData | null;
  desktopUrl: DestinationUrl | null;
  iosAppId: string | null;
  androidAppId: string | null;
  iosFallbackUrl: DestinationUrl | null;
  androidFallbackUrl: DestinationUrl | null;
  iosDeferredDeepLink: boolean;
  socialTitle: string | null;
  socialDescription: string | null;
  socialImageUrl: DestinationUrl | null;
  referrerParams: ReferrerParams;
  /** Null: as the project says. */
  queryForwarding: QueryForwarding | null;
  forwardedParams: readonly string[];
  /** Whether visits get click ids, also if the project does not say so. */
  conversions: boolean;
  title: string | null;
  disabled: boolean;
  /** The first millisecond of the link since 1970; null without one. */
  readonly activeFrom: number | null;
  /** The first millisecond after its end; null without one. */
  readonly activeUntil: number | null;
  readonly expiredUrl: DestinationUrl | null;
  /** Null without a password and a limit. */
  readonly lock: LinkLock | null;
  /** Null for nearly every link, so that its visits cost nothing more. */
  readonly rules: readonly VisitedRule[] | null;
  /** Weighted destinations, one of which replaces those of the link. Null for nearly every link. */
  readonly variants: readonly VisitedVariant[] | null;
  /** The variant that this link is of; null without one. One of a rule replaces all destinations, and others `desktopUrl` alone. */
  readonly variant: { name: string; ofRule: boolean } | null;
  /** The platforms whose phones the rules or the lock keep in the browser; null without both. */
  readonly web: WebPlatforms | null;
  /** Whether a destination has another scheme than http and https. Decided when the link is loaded, because nearly none has. */
  readonly hasOtherSchemes: boolean;
  /** The destinations that have the visited path, with their host names; null if none has it (`own-address.ts`). */
  readonly hostsOfSamePath: HostsOfDestinations | null;
}
