import type { DestinationUrl } from '../management-api/dynamic-links/destination-url';
import type { ReferrerParams } from '../management-api/dynamic-links/referrer-params';
import type { Project } from '../management-api/projects/project';

/** The read model of a project in link traffic: the parts of its host, and its apps by id. */
export interface VisitedProject extends Pick<Project, 'id' | 'subdomain' | 'customDomain'> {
  iosApps: ReadonlyMap<string, VisitedIosApp>;
  androidApps: ReadonlyMap<string, VisitedAndroidApp>;
}

export interface VisitedIosApp {
  name: string;
  bundleId: string;
  teamId: string;
  /** The numeric App Store id. */
  storeId: string | null;
}

export interface VisitedAndroidApp {
  name: string;
  packageName: string;
  fingerprints: readonly string[];
}

/** The read model of a link in link traffic. Its URLs are validated after reading (`servedUrl`). */
export interface VisitedLink {
  readonly id: string;
  /** The visited short link; null for the custom path. */
  readonly shortLinkId: string | null;
  /** The creator of the short link: `dashboard` or `api`. */
  readonly shortLinkSource: string | null;
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
}
