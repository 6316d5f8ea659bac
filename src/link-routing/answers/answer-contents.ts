import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import type { HostedAt } from '../../link-paths/paths/open-host';
import { qrCodeUrl, withReservedParameter } from '../../link-paths/paths/reserved-parameters';
import { escapeUrl } from '../escapes/browser-escapes';
import type { Answer, InAppBrowserPage, OtherSchemePage, RegularAnswer } from './answer';
import { appsOf, decideAnswer, opensLinks } from './destination';
import type { Card } from '../pages/page';
import type { GetTheAppCard, GetTheAppUrls } from '../pages/get-the-app';
import type { InAppBrowserCard, InAppBrowserUrls } from '../pages/in-app-browser';
import type { LandingUrls } from '../pages/landing';
import type { OtherSchemeUrls } from '../pages/other-scheme';
import type { PreviewCard, PreviewUrls } from '../pages/preview';
import { schemeOf } from '../../shared/destination-url';
import { toUriQuery, withParameter } from '../visited-link/query-merge';
import { appStoreUrl, playStorePage, playStoreUrl } from './store-urls';
import type { VisitedLink, VisitedProject } from '../visited-link/visited-link';
import type { Visitor } from '../visitor/visitor';

/** The content of a landing page. `url` is the content of its QR code. */
interface LandingContent extends Card, Omit<LandingUrls, 'code'> {
  url: string;
}

export interface ParsedVisit {
  project: VisitedProject;
  link: VisitedLink;
  /** The requested path, percent-decoded: a custom path or a slug. */
  path: LinkPath;
  visitor: Visitor;
  visitorQuery: string;
  /** The parameters of the visited long link, which its URLs keep; absent for a stored link. */
  longQuery?: string;
  /** The visitor continues from an interstitial page of this service. */
  wasOfferedApp: boolean;
  /** The way out of an in-app browser that the page offers; null if no way is known, and for other answers. */
  escape: OfferedEscape | null;
}

export type VisitedAddress = Pick<ParsedVisit, 'path' | 'longQuery' | 'visitorQuery'>;

export interface OfferedEscape {
  /** The address of the way in the table (`browser-escapes.ts`). */
  address: string;
  /** The value of `_via`: `browser-page`, with a marker if the offer is measured. */
  via: string;
}

/** Returns the phone platform of a person; null for robots and desktops, which install no app and need no token. */
export const phonePlatformOf = ({ robot, platform }: Visitor): 'ios' | 'android' | null =>
  robot || platform === 'desktop' ? null : platform;

/** Returns whether the content of the answer has a token, if a person on a phone gets it. */
export const hasToken = (answer: Answer): boolean => {
  const { kind } = answer.kind === 'in-app-browser' ? answer.fallback : answer;
  return kind === 'play-store' || (kind === 'get-the-app' && answer.kind === kind);
};

/** Returns whether the content of the answer has a click id, if a person gets it. */
export function hasClickId(answer: Answer): boolean {
  const taken = answer.kind === 'in-app-browser' ? answer.fallback : answer;
  return taken.kind === 'redirect' && taken.clickIdParam !== undefined;
}

/** Builds the URLs and texts of answers; link traffic and the diagnostics share it. */
export class AnswerContents<V extends ParsedVisit> {
  /**
   * @param issueToken issues a deferred deep link token for a page or a redirect to the store; returns null if the visit gets none
   * @param issueClickId does the same for the id by which conversions count
   */
  constructor(
    private readonly hosts: LinkHosts,
    private readonly issueToken: (visit: V, step: 'shown' | 'store') => string | null,
    private readonly issueClickId: (visit: V) => string | null,
  ) {}

  /** Returns the visited URL on the project's current host. The `Host` header is never used, because clients control it. */
  urlOf(visit: ParsedVisit): string {
    return this.#urlOn(visit.project, visit);
  }

  /** Returns the URL that opens the app from a page on the visited host, by a tap. */
  openUrlOf(visit: ParsedVisit): string {
    const url = this.#urlOn(visit.project.opener, visit);
    return withReservedParameter(url, 'via', visit.visitor.macintosh ? 'ipad-open' : 'open');
  }

  /** Returns the location with the click id of the visit, if it gets one. */
  redirectUrl({ location, clickIdParam }: Extract<Answer, { kind: 'redirect' }>, visit: V): string {
    const id = clickIdParam === undefined ? null : this.issueClickId(visit);
    return id === null ? location : withParameter(location, clickIdParam!, id);
  }

  /**
   * @param page the page of the link's app in the Play Store
   * @param step `store` for a redirect, and `shown` for an address in a page
   */
  playStoreUrl(page: string, visit: V, step: 'shown' | 'store'): string {
    return playStoreUrl(page, visit.link.referrerParams, visit.visitorQuery, this.issueToken(visit, step));
  }

  preview(visit: V): PreviewCard & PreviewUrls {
    const siteName = this.hosts.hostOf(visit.project);
    return { url: this.urlOf(visit), siteName, ...socialCardOf(visit.link, siteName) };
  }

  getTheApp({ appName, storeUrl }: { appName: string; storeUrl: string }, visit: V): GetTheAppCard & GetTheAppUrls {
    const url = this.urlOf(visit);
    const token = this.issueToken(visit, 'shown');
    const clipboardText = token === null ? url : withReservedParameter(url, 'token', token);
    const { iosApp } = appsOf(visit.project, visit.link);
    // A visitor who tapped "Open in app" and is here has no app to open.
    const openUrl = visit.wasOfferedApp || !opensLinks(iosApp) ? null : this.openUrlOf(visit);
    return { appName, storeUrl, clipboardText, openUrl, ...socialCardOf(visit.link, appName) };
  }

  inAppBrowser({ app, fallback }: InAppBrowserPage, visit: V): InAppBrowserCard & InAppBrowserUrls {
    const url = this.urlOf(visit);
    const continueUrl = this.#continueUrl(fallback, visit);
    const fallbackUrl = fallback.kind === 'play-store' ? this.playStoreUrl(fallback.page, visit, 'shown') : continueUrl;
    const openUrl = app.platform === 'ios' ? this.openUrlOf(visit) : intentUrl(url, app.packageName, fallbackUrl);
    const browserUrl = browserUrlOf(url, visit);
    return { appName: app.name, openUrl, continueUrl, browserUrl, ...socialCardOf(visit.link, app.name) };
  }

  otherScheme({ destination }: OtherSchemePage, visit: V): Card & OtherSchemeUrls {
    const { project, link, visitor } = visit;
    const { inAppBrowser, robot, platform } = visitor;
    return {
      destination,
      isAttempted: !robot && !inAppBrowser && attemptedSchemes[platform].includes(schemeOf(destination)),
      browserUrl: browserUrlOf(this.urlOf(visit), visit),
      ...socialCardOf(link, this.hosts.hostOf(project)),
    };
  }

  landing(visit: V): LandingContent {
    const { project, link, visitor, visitorQuery, wasOfferedApp } = visit;
    const { iosApp, androidApp } = appsOf(project, link);
    const url = this.urlOf(visit);
    const iosAnswer =
      visitor.macintosh && decideAnswer(project, link, { ...visitor, platform: 'ios' }, visitorQuery, wasOfferedApp);
    const params = link.referrerParams;
    const stores = {
      ios: iosApp?.appstoreId ? appStoreUrl(iosApp.appstoreId, params, visitorQuery) : null,
      android: androidApp ? playStoreUrl(playStorePage(androidApp.packageName), params, visitorQuery, null) : null,
    };
    return {
      url: qrCodeUrl(url),
      ...socialCardOf(link, this.hosts.hostOf(project)),
      appStoreUrl: stores.ios,
      playStoreUrl: stores.android,
      lacksOwnStore: visitor.platform !== 'desktop' && stores[visitor.platform] === null,
      // Rules may have another answer for an iPad.
      ipadUrl:
        iosAnswer && (iosAnswer.kind !== 'landing' || link.rules !== null)
          ? this.#ipadUrl(visit, opensLinks(iosApp))
          : null,
    };
  }

  #continueUrl(fallback: RegularAnswer, visit: V): string {
    if (fallback.kind === 'redirect') return this.redirectUrl(fallback, visit);
    // A visit counts the way to the store.
    return pageUrl(this.#urlOn(visit.project.visited, visit), visit, 'page');
  }

  /** Returns the URL to which a page sends an iPad. It is on the open host if an app may open there. */
  #ipadUrl(visit: ParsedVisit, hasApp: boolean): string {
    const url = this.#urlOn(hasApp ? visit.project.opener : visit.project, visit);
    return withReservedParameter(url, 'via', 'ipad');
  }

  #urlOn(host: HostedAt, address: VisitedAddress): string {
    return addressOn(this.hosts, host, address);
  }
}

/** Returns the visited URL on a host of the project. */
export function addressOn(hosts: LinkHosts, host: HostedAt, { path, longQuery, visitorQuery }: VisitedAddress): string {
  const url = hosts.urlOf(host, path);
  const query = [longQuery, visitorQuery].filter(Boolean).join('&');
  return query === '' ? url : `${url}?${toUriQuery(query)}`;
}

/**
 * Schemes that a system always has a program for, so that a script may try them without a tap. Safari shows an error for others, and
 * Firefox replaces the page by one.
 */
const attemptedSchemes: Record<Visitor['platform'], readonly string[]> = {
  ios: ['mailto', 'tel', 'sms', 'itms-apps'],
  android: ['mailto', 'tel', 'sms', 'market'],
  desktop: ['mailto'],
};

const socialCardOf = (link: VisitedLink, fallbackTitle: string) => ({
  title: link.socialTitle || link.title || fallbackTitle,
  description: link.socialDescription,
  imageUrl: link.socialImageUrl,
});

/** Returns the URL for a visitor who goes on without the app, here or in the browser of the device. */
const pageUrl = (url: string, { visitor }: ParsedVisit, via: string): string =>
  withReservedParameter(url, 'via', visitor.macintosh ? `ipad-${via}` : via);

const browserUrlOf = (url: string, visit: ParsedVisit): string | null =>
  visit.escape && escapeUrl(visit.escape.address, pageUrl(url, visit, visit.escape.via));

/** Returns a URL that opens the app, or the fallback if it is not installed (Chrome, "Android Intents with Chrome"). */
function intentUrl(url: string, packageName: string, fallbackUrl: string): string {
  const colon = url.indexOf(':');
  return `intent:${url.slice(colon + 1)}#Intent;scheme=${url.slice(0, colon)};package=${packageName};S.browser_fallback_url=${encodeURIComponent(fallbackUrl)};end`;
}
