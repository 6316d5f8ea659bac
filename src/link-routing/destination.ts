import type { VisitedAndroidApp, VisitedIosApp, VisitedLink, VisitedProject } from './visited-link';
import { withQuery } from './query-merge';
import { appStoreUrl } from './store-urls';
import type { Visitor } from './visitor';
import type { DecisionTrace } from './decision-trace';

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
 * Decides what a visitor gets (docs/contract.md, “Link traffic”), as a pure function.
 *
 * @param visitorQuery the visitor's own parameters, as they were sent
 * @param fromOurPage the visitor has been on one of our pages and wants to go on
 * @param why is told each rule that is looked at, in order; absent, it costs nothing
 */
export function answerFor(
  project: VisitedProject,
  link: VisitedLink,
  visitor: Visitor,
  visitorQuery: string,
  fromOurPage: boolean,
  trace?: DecisionTrace,
): Answer {
  const previewed = visitor.socialCrawler && isSocial(link);
  trace?.('preview', previewed ? 'taken' : visitor.socialCrawler ? 'no_social_fields' : 'no_social_crawler');
  if (previewed) return { kind: 'preview' };
  const { iosApp, androidApp } = appsOf(project, link);
  switch (visitor.platform) {
    case 'ios': {
      const offered = isOffered(iosApp, visitor, fromOurPage, trace);
      const otherwise = onIos(link, iosApp, visitorQuery, trace);
      if (!iosApp || !offered) return otherwise;
      return { kind: 'in-app-browser', app: { platform: 'ios', name: iosApp.name }, otherwise };
    }
    case 'android': {
      const offered = isOffered(androidApp, visitor, fromOurPage, trace);
      const otherwise = onAndroid(link, androidApp, visitorQuery, trace);
      if (!androidApp || !offered) return otherwise;
      const { name, packageName } = androidApp;
      return { kind: 'in-app-browser', app: { platform: 'android', name, packageName }, otherwise };
    }
    case 'desktop':
      return elsewhere(link, visitorQuery, trace);
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

/** Whether a page stands in between, because the app cannot open by itself where the visitor is. */
function isOffered(app: object | undefined, visitor: Visitor, fromOurPage: boolean, trace?: DecisionTrace): boolean {
  const offered = visitor.inAppBrowser && app !== undefined && !fromOurPage;
  trace?.(
    'in_app_browser',
    offered ? 'taken' : !visitor.inAppBrowser ? 'own_browser' : app === undefined ? 'no_app' : 'from_our_page',
  );
  return offered;
}

function onIos(link: VisitedLink, app: VisitedIosApp | undefined, query: string, trace?: DecisionTrace): RegularAnswer {
  const storeUrl = app?.storeId ? appStoreUrl(app.storeId, link.referrerParams, query) : null;
  trace?.('get_the_app', link.iosDeferredDeepLink ? inStore(app, storeUrl) : 'off');
  if (link.iosDeferredDeepLink && app && storeUrl) {
    trace?.('parameters', carried(link, query, 'campaign_only'));
    return { kind: 'get-the-app', appName: app.name, storeUrl };
  }
  trace?.('ios_fallback_url', link.iosFallbackUrl ? 'taken' : 'not_set');
  if (link.iosFallbackUrl) return redirect(link, link.iosFallbackUrl, query, trace);
  trace?.('app_store', inStore(app, storeUrl));
  if (storeUrl) {
    trace?.('parameters', carried(link, query, 'campaign_only'));
    return { kind: 'redirect', location: storeUrl };
  }
  return elsewhere(link, query, trace);
}

const inStore = (app: VisitedIosApp | undefined, storeUrl: string | null) =>
  storeUrl ? 'taken' : app ? 'no_store_id' : 'no_app';

function onAndroid(
  link: VisitedLink,
  app: VisitedAndroidApp | undefined,
  query: string,
  trace?: DecisionTrace,
): RegularAnswer {
  trace?.('android_fallback_url', link.androidFallbackUrl ? 'taken' : 'not_set');
  if (link.androidFallbackUrl) return redirect(link, link.androidFallbackUrl, query, trace);
  trace?.('play_store', app ? 'taken' : 'no_app');
  if (app) {
    trace?.('parameters', carried(link, query, 'in_referrer'));
    return { kind: 'play-store', packageName: app.packageName };
  }
  return elsewhere(link, query, trace);
}

function elsewhere(link: VisitedLink, query: string, trace?: DecisionTrace): RegularAnswer {
  trace?.('desktop_url', link.desktopUrl ? 'taken' : 'not_set');
  if (link.desktopUrl) return redirect(link, link.desktopUrl, query, trace);
  trace?.('landing_page', 'taken');
  return { kind: 'landing' };
}

function redirect(link: VisitedLink, destination: string, query: string, trace?: DecisionTrace): RegularAnswer {
  trace?.('parameters', carried(link, query, 'merged'));
  return { kind: 'redirect', location: withQuery(destination, link.referrerParams, query) };
}

const carried = <How extends string>(link: VisitedLink, query: string, how: How): How | 'none' =>
  link.referrerParams.length === 0 && query === '' ? 'none' : how;
