import type { DestinationUrl } from '../management-api/dynamic-links/destination-url';
import type { ReferrerParams } from '../management-api/dynamic-links/referrer-params';
import type { Project } from '../management-api/projects/project';

/** What link traffic knows of a project: what its host is made of, and its apps by id. */
export interface VisitedProject extends Pick<Project, 'id' | 'subdomain' | 'customDomain'> {
  iosApps: ReadonlyMap<string, VisitedIosApp>;
  androidApps: ReadonlyMap<string, VisitedAndroidApp>;
}

export interface VisitedIosApp {
  name: string;
  bundleId: string;
  teamId: string;
  /** The number of its page in the App Store. */
  storeId: string | null;
}

export interface VisitedAndroidApp {
  name: string;
  packageName: string;
  fingerprints: readonly string[];
}

/** What link traffic knows of a link. Its URLs have been checked again since they were read, whatever wrote the row. */
export interface VisitedLink {
  readonly id: string;
  /** The short link that was used; null for the custom path. */
  readonly shortLinkId: string | null;
  /** What made that short link: `dashboard` or `api`. */
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
