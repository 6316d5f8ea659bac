import type { LinkPath } from '../management-api/link-paths/custom-path';
import type { LinkHosts } from '../management-api/link-paths/link-hosts';
import { inQrCode, marked } from '../management-api/link-paths/reserved-parameters';
import { answerFor, appsOf, type InAppBrowserPage, type RegularAnswer } from './destination';
import type { WantedApp } from './pages/get-the-app';
import type { OfferedApp } from './pages/in-app-browser';
import type { Landing } from './pages/landing';
import type { PreviewedLink } from './pages/preview';
import { asciiOnly } from './query-merge';
import { appStoreUrl, playStoreUrl } from './store-urls';
import type { VisitedLink, VisitedProject } from './visited-link';
import type { Visitor } from './visitor';

/** A visit with what was read off its request. */
export interface ReadVisit {
  project: VisitedProject;
  link: VisitedLink;
  /** As the visitor asked for it, percent-decoded: a custom path or a slug. */
  path: LinkPath;
  visitor: Visitor;
  /** The visitor's own parameters, without ours. */
  own: string;
}

/** The phone to which a token of a deferred deep link may be of use; null where nothing will be installed. */
export const phoneOf = ({ robot, platform }: Visitor): 'ios' | 'android' | null =>
  robot || platform === 'desktop' ? null : platform;

/** What answers say: their addresses and texts, before they become a header or a page. */
export class AnswerContents<V extends ReadVisit> {
  /** @param issueToken of a deferred deep link, asked where the answer has a place for one; null for none */
  constructor(
    private readonly hosts: LinkHosts,
    private readonly issueToken: (visit: V) => string | null,
  ) {}

  /** The address as it was visited, on the project's current host: never from the `Host` header. */
  urlOf({ project, path, own }: ReadVisit): string {
    const url = this.hosts.urlOf(project, path);
    return own === '' ? url : `${url}?${asciiOnly(own)}`;
  }

  playStoreUrl(packageName: string, visit: V): string {
    return playStoreUrl(packageName, visit.link.referrerParams, visit.own, this.issueToken(visit));
  }

  preview(visit: V): PreviewedLink {
    const siteName = this.hosts.hostOf(visit.project);
    return { url: this.urlOf(visit), siteName, ...shown(visit.link, siteName) };
  }

  getTheApp({ appName, storeUrl }: { appName: string; storeUrl: string }, visit: V): WantedApp {
    const url = this.urlOf(visit);
    const token = this.issueToken(visit);
    const copied = token === null ? url : marked(url, 'token', token);
    return { appName, storeUrl, copied, ...shown(visit.link, appName) };
  }

  inAppBrowser({ app, otherwise }: InAppBrowserPage, visit: V): OfferedApp {
    const url = this.urlOf(visit);
    const continueUrl = this.#continueUrl(otherwise, visit);
    const openUrl = app.platform === 'ios' ? url : intentUrl(url, app.packageName, continueUrl);
    return { appName: app.name, openUrl, continueUrl, ...shown(visit.link, app.name) };
  }

  landing(visit: V): Landing {
    const { project, link, visitor, own } = visit;
    const { iosApp, androidApp } = appsOf(project, link);
    const url = this.urlOf(visit);
    const onIos = visitor.macintosh && answerFor(project, link, { ...visitor, platform: 'ios' }, own, true);
    return {
      url: inQrCode(url),
      ...shown(link, this.hosts.hostOf(project)),
      appStoreUrl: iosApp?.storeId ? appStoreUrl(iosApp.storeId, link.referrerParams, own) : null,
      playStoreUrl: androidApp ? playStoreUrl(androidApp.packageName, link.referrerParams, own, null) : null,
      ipadUrl: onIos && onIos.kind !== 'landing' ? marked(url, 'via', 'ipad') : null,
    };
  }

  #continueUrl(otherwise: RegularAnswer, visit: V): string {
    if (otherwise.kind === 'redirect') return otherwise.location;
    if (otherwise.kind === 'play-store') return this.playStoreUrl(otherwise.packageName, visit);
    return marked(this.urlOf(visit), 'via', visit.visitor.macintosh ? 'ipad-page' : 'page');
  }
}

/** @param otherwise what a link without a title of its own is titled with */
const shown = (link: VisitedLink, otherwise: string) => ({
  title: link.socialTitle || otherwise,
  description: link.socialDescription,
  imageUrl: link.socialImageUrl,
});

/** Opens the app where it is installed, else the fallback (Chrome for Developers, "Android Intents with Chrome"). */
function intentUrl(url: string, packageName: string, fallbackUrl: string): string {
  const { protocol } = new URL(url);
  const address = url.slice(protocol.length);
  return `intent:${address}#Intent;scheme=${protocol.slice(0, -1)};package=${packageName};S.browser_fallback_url=${encodeURIComponent(fallbackUrl)};end`;
}
