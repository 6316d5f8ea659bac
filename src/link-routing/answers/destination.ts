import { type DestinationUrl, isWebUrl } from '../../shared/destination-url';
import type { Answer, RegularAnswer } from './answer';
import { isOwnAddress } from '../visited-link/own-address';
import type { VisitedAndroidApp, VisitedIosApp, VisitedLink, VisitedProject } from '../visited-link/visited-link';
import { withParameters } from '../visited-link/query-merge';
import { androidStorePage, appStoreUrl, playStoreAppOf, playStorePage, playStoreUrl } from './store-urls';
import type { Visitor } from '../visitor/visitor';
import type { DecisionTrace, Findings } from '../visitor/decision-trace';

/**
 * Applies the routing table of docs/contract-link-traffic.md, “Link traffic”.
 *
 * @param visitorQuery the query without the reserved parameters, as sent
 * @param wasOfferedApp the visitor continues from a page of this service that offered the app
 * @param trace receives each evaluated rule, in order
 */
export function decideAnswer(
  project: VisitedProject,
  link: VisitedLink,
  visitor: Visitor,
  visitorQuery: string,
  wasOfferedApp: boolean,
  trace?: DecisionTrace,
): Answer {
  if (link.disabled) {
    trace?.('disabled', 'taken');
    return { kind: 'disabled' };
  }
  const previewed = visitor.socialCrawler && hasSocialFields(link);
  trace?.('preview', previewed ? 'taken' : visitor.socialCrawler ? 'no_social_fields' : 'no_social_crawler');
  if (previewed) return { kind: 'preview' };
  const asked = { project, link, query: visitorQuery, trace };
  const { iosApp, androidApp } = appsOf(project, link);
  switch (visitor.platform) {
    case 'ios': {
      const opened = opensLinks(iosApp) ? iosApp : undefined;
      const offered = offersApp(opened, visitor, wasOfferedApp, trace);
      const fallback = iosAnswer(asked, iosApp);
      if (!opened || !offered) return fallback;
      return { kind: 'in-app-browser', app: { platform: 'ios', name: opened.name }, fallback };
    }
    case 'android': {
      const offered = offersApp(androidApp, visitor, wasOfferedApp, trace);
      const fallback = androidAnswer(asked, androidApp, visitor);
      if (!androidApp || !offered) return fallback;
      const { name, packageName } = androidApp;
      return { kind: 'in-app-browser', app: { platform: 'android', name, packageName }, fallback };
    }
    case 'desktop':
      return desktopAnswer(asked);
  }
}

/** The parts of a visit on which its answer depends. */
interface Asked {
  project: VisitedProject;
  link: VisitedLink;
  query: string;
  trace: DecisionTrace | undefined;
}

/** Returns whether visits of the link get click ids. */
export const countsConversions = (
  project: Pick<VisitedProject, 'conversions'>,
  link: Pick<VisitedLink, 'conversions'>,
): boolean => link.conversions || project.conversions;

/** Returns the apps that the link references; undefined for a missing one. */
export const appsOf = (project: VisitedProject, link: VisitedLink) => ({
  iosApp: link.iosAppId === null ? undefined : project.iosApps.get(link.iosAppId),
  androidApp: link.androidAppId === null ? undefined : project.androidApps.get(link.androidAppId),
});

/** Returns whether the package is that of the app that the link opens. Its own web view needs no offer of it. */
export const isOwnApp = (packageName: string | undefined, project: VisitedProject, link: VisitedLink): boolean =>
  packageName !== undefined && appsOf(project, link).androidApp?.packageName === packageName;

/**
 * Returns whether the app may open links. An iOS app with an empty list of paths is in no association file. On Android an `intent:`
 * URL names the app, so its paths do not matter.
 */
export const opensLinks = (app: VisitedIosApp | undefined): boolean => app !== undefined && app.paths?.length !== 0;

/** Returns whether a preview has any content. An empty string counts as absent. */
const hasSocialFields = (link: VisitedLink): boolean =>
  [link.socialTitle, link.socialDescription, link.socialImageUrl].some(Boolean);

function offersApp(app: object | undefined, visitor: Visitor, wasOfferedApp: boolean, trace?: DecisionTrace): boolean {
  const offered = visitor.inAppBrowser && app !== undefined && !wasOfferedApp;
  trace?.(
    'in_app_browser',
    offered ? 'taken' : !visitor.inAppBrowser ? 'own_browser' : app === undefined ? 'no_app' : 'from_our_page',
  );
  return offered;
}

function iosAnswer(asked: Asked, app: VisitedIosApp | undefined): RegularAnswer {
  const { link, query, trace } = asked;
  const storeUrl = (storeId: string) => appStoreUrl(storeId, link.referrerParams, query);
  trace?.('get_the_app', link.iosDeferredDeepLink ? appStoreFinding(app) : 'off');
  if (link.iosDeferredDeepLink && app?.appstoreId) {
    traceParameters(asked, 'campaign_only');
    return { kind: 'get-the-app', appName: app.name, storeUrl: storeUrl(app.appstoreId) };
  }
  const iosFallbackUrl = destinationOf(asked, link.iosFallbackUrl);
  trace?.('ios_fallback_url', destinationFinding(link.iosFallbackUrl, iosFallbackUrl));
  if (iosFallbackUrl) return toVariant(link, false, redirect(asked, iosFallbackUrl));
  trace?.('app_store', appStoreFinding(app));
  if (app?.appstoreId) {
    traceParameters(asked, 'campaign_only');
    return { kind: 'redirect', location: storeUrl(app.appstoreId) };
  }
  return desktopAnswer(asked);
}

const appStoreFinding = (app: VisitedIosApp | undefined) =>
  app?.appstoreId ? 'taken' : app ? 'no_store_id' : 'no_app';

function androidAnswer(asked: Asked, app: VisitedAndroidApp | undefined, { androidStore }: Visitor): RegularAnswer {
  const { link, trace } = asked;
  const androidFallbackUrl = destinationOf(asked, link.androidFallbackUrl);
  const storeId = androidStore && app?.androidStores?.[androidStore];
  // A device without Google Play cannot use its page either.
  const isReplaced = storeId && androidFallbackUrl && playStoreAppOf(androidFallbackUrl) === app?.packageName;
  const finding = destinationFinding(link.androidFallbackUrl, androidFallbackUrl);
  trace?.('android_fallback_url', isReplaced ? 'other_store' : finding);
  if (androidFallbackUrl && !isReplaced) return toVariant(link, false, redirect(asked, androidFallbackUrl, app));
  if (app?.androidStores) trace?.('android_store', storeId ? 'taken' : 'no_store');
  if (androidStore && storeId) {
    const readsReferrer = androidStore === 'appgallery';
    traceParameters(asked, readsReferrer ? 'in_referrer' : 'not_read');
    const page = androidStorePage(androidStore, storeId);
    return readsReferrer ? { kind: 'play-store', page } : { kind: 'redirect', location: page };
  }
  trace?.('play_store', app ? 'taken' : 'no_app');
  if (app) {
    traceParameters(asked, 'in_referrer');
    return { kind: 'play-store', page: playStorePage(app.packageName) };
  }
  return desktopAnswer(asked);
}

function desktopAnswer(asked: Asked): RegularAnswer {
  const { link, trace } = asked;
  const desktopUrl = destinationOf(asked, link.desktopUrl);
  trace?.('desktop_url', destinationFinding(link.desktopUrl, desktopUrl));
  if (desktopUrl) return toVariant(link, true, redirect(asked, desktopUrl));
  trace?.('landing_page', 'taken');
  return { kind: 'landing' };
}

/** Names the variant of the link in an answer that leads to it. */
const toVariant = ({ variant }: VisitedLink, isDesktopUrl: boolean, answer: RegularAnswer): RegularAnswer =>
  variant !== null && (isDesktopUrl || variant.ofRule) ? { ...answer, variant: variant.name } : answer;

/** Returns the name of the variant that the answer leads to; null if it leads to none. */
export function variantOf(answer: Answer): string | null {
  const taken = answer.kind === 'in-app-browser' ? answer.fallback : answer;
  return ('variant' in taken && taken.variant) || null;
}

/** Returns null if the link has no such destination, or if it is the visited address. */
const destinationOf = ({ project, link }: Asked, url: DestinationUrl | null): DestinationUrl | null =>
  url !== null && isOwnAddress(project, link, url) ? null : url;

const destinationFinding = (input: DestinationUrl | null, destination: DestinationUrl | null) =>
  destination ? 'taken' : input ? 'own_address' : 'not_set';

/** @param androidApp the app whose page in the Play Store gets a token; absent for other devices */
function redirect(asked: Asked, destination: string, androidApp?: VisitedAndroidApp): RegularAnswer {
  const { project, link, query, trace } = asked;
  // A parameter of a visitor could add a recipient to an e-mail.
  if (link.hasOtherSchemes && !isWebUrl(destination)) {
    trace?.('parameters', 'other_scheme');
    return { kind: 'other-scheme', destination };
  }
  const storeApp = playStoreAppOf(destination);
  if (storeApp !== null) {
    traceParameters(asked, 'in_referrer');
    if (storeApp === androidApp?.packageName) return { kind: 'play-store', page: destination };
    return { kind: 'redirect', location: playStoreUrl(destination, link.referrerParams, query, null) };
  }
  traceParameters(asked, 'merged');
  const location = withParameters(destination, link.referrerParams, query);
  if (!countsConversions(project, link)) return { kind: 'redirect', location };
  return { kind: 'redirect', location, clickIdParam: project.clickIdParam };
}

const traceParameters = ({ link, query, trace }: Asked, how: Findings['parameters']): void =>
  trace?.('parameters', link.referrerParams.length === 0 && query === '' ? 'none' : how);
