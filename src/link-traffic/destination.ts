import type { VisitedAndroidApp, VisitedIosApp, VisitedLink, VisitedProject } from './visited-link';
import { withQuery } from './query-merge';
import { appStoreUrl } from './store-urls';
import type { Visitor } from './visitor';

/** Where a visitor is sent, or the page that they are shown. */
export type Answer = InAppBrowserPage | RegularAnswer | { kind: 'preview' };

/** Opened inside another app, where the link cannot open its own: a page that offers to. */
export interface InAppBrowserPage {
  kind: 'in-app-browser';
  app: { platform: 'ios'; name: string } | { platform: 'android'; name: string; packageName: string };
  /** What the visitor gets who wants to go on. */
  otherwise: RegularAnswer;
}

export type RegularAnswer =
  | { kind: 'redirect'; location: string }
  /** A redirect, once it has its deferred link's token. */
  | { kind: 'play-store'; packageName: string }
  /** Carries the link over to the app that is yet to be installed, by the clipboard. */
  | { kind: 'get-the-app'; appName: string; storeUrl: string }
  | { kind: 'landing' };

/**
 * The routing table of DECISIONS section 3, as a pure function.
 *
 * @param visitorQuery the visitor's own parameters, as they were sent
 * @param fromOurPage the visitor has been on one of our pages and wants to go on
 */
export function answerFor(
  project: VisitedProject,
  link: VisitedLink,
  visitor: Visitor,
  visitorQuery: string,
  fromOurPage: boolean,
): Answer {
  if (visitor.socialCrawler && isSocial(link)) return { kind: 'preview' };
  const { iosApp, androidApp } = appsOf(project, link);
  switch (visitor.platform) {
    case 'ios': {
      const otherwise = onIos(link, iosApp, visitorQuery);
      if (!iosApp || !visitor.inAppBrowser || fromOurPage) return otherwise;
      return { kind: 'in-app-browser', app: { platform: 'ios', name: iosApp.name }, otherwise };
    }
    case 'android': {
      const otherwise = onAndroid(link, androidApp, visitorQuery);
      if (!androidApp || !visitor.inAppBrowser || fromOurPage) return otherwise;
      const { name, packageName } = androidApp;
      return { kind: 'in-app-browser', app: { platform: 'android', name, packageName }, otherwise };
    }
    case 'desktop':
      return elsewhere(link, visitorQuery);
  }
}

/** The apps that the link refers to, where it does. */
export const appsOf = (project: VisitedProject, link: VisitedLink) => ({
  iosApp: link.iosAppId === null ? undefined : project.iosApps.get(link.iosAppId),
  androidApp: link.androidAppId === null ? undefined : project.androidApps.get(link.androidAppId),
});

/** Whether there is anything to show: an empty text is nothing. */
const isSocial = (link: VisitedLink): boolean =>
  [link.socialTitle, link.socialDescription, link.socialImageUrl].some(Boolean);

function onIos(link: VisitedLink, app: VisitedIosApp | undefined, query: string): RegularAnswer {
  const storeUrl = app?.storeId ? appStoreUrl(app.storeId, link.referrerParams, query) : null;
  if (link.iosDeferredDeepLink && app && storeUrl) return { kind: 'get-the-app', appName: app.name, storeUrl };
  if (link.iosFallbackUrl) return redirect(link, link.iosFallbackUrl, query);
  if (storeUrl) return { kind: 'redirect', location: storeUrl };
  return elsewhere(link, query);
}

function onAndroid(link: VisitedLink, app: VisitedAndroidApp | undefined, query: string): RegularAnswer {
  if (link.androidFallbackUrl) return redirect(link, link.androidFallbackUrl, query);
  if (app) return { kind: 'play-store', packageName: app.packageName };
  return elsewhere(link, query);
}

const elsewhere = (link: VisitedLink, query: string): RegularAnswer =>
  link.desktopUrl ? redirect(link, link.desktopUrl, query) : { kind: 'landing' };

const redirect = (link: VisitedLink, destination: string, query: string): RegularAnswer => ({
  kind: 'redirect',
  location: withQuery(destination, link.referrerParams, query),
});
