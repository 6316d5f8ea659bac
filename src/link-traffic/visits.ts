import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClickRecorder } from '../clicks/click-recorder';
import type { DeferredLinksService } from '../deferred-links/deferred-links.service';
import type { FixedWindows } from '../http/fixed-windows';
import type { ClientAddresses } from '../http/client-address';
import { rateLimitWindow } from '../http/rate-limit';
import type { LinkPath } from '../link-paths/custom-path';
import type { LinkHosts } from '../link-paths/link-hosts';
import { inQrCode, marked } from '../link-paths/reserved-parameters';
import { privately, sendPage, varies } from './answer-page';
import type { ClickReader } from './click-reader';
import { type Answer, answerFor, appsOf, type InAppBrowserPage, type RegularAnswer } from './destination';
import { endTogether } from './end-together';
import { getTheAppPage } from './pages/get-the-app';
import { inAppBrowserPage } from './pages/in-app-browser';
import { landingPage } from './pages/landing';
import type { Page } from './pages/page';
import { previewPage } from './pages/preview';
import { asciiOnly } from './query-merge';
import { appStoreUrl, playStoreUrl } from './store-urls';
import type { VisitedLink, VisitedProject } from './visited-link';
import { type Visitor, visitorOf } from './visitor';
import { readVisitorQuery } from './visitor-query';

/** Tokens of deferred deep links that one network gets a minute. Many phones share an address; further visits go without. */
const mostTokensPerMinute = 600;

export interface Visit {
  project: VisitedProject;
  link: VisitedLink;
  /** As the visitor asked for it, percent-decoded: a custom path or a slug. */
  path: LinkPath;
  /** What the visitor's URL has behind `?`, as it was sent. */
  query: string;
  requestId: string;
}

/** A visit with what was read off its request. */
interface ReadVisit extends Visit {
  visitor: Visitor;
  /** The visitor's own parameters, without ours. */
  own: string;
  request: IncomingMessage;
}

/** Turns a visit into its answer on the wire. What the answer is, `answerFor` decides. */
export class Visits {
  constructor(
    private readonly hosts: LinkHosts,
    private readonly deferredLinks: DeferredLinksService,
    private readonly addresses: ClientAddresses,
    private readonly tokenCounts: FixedWindows,
    private readonly clickReader: ClickReader,
    private readonly clicks: Pick<ClickRecorder, 'record'> | null,
  ) {}

  answer(visit: Visit, request: IncomingMessage, response: ServerResponse): Answer['kind'] {
    const { project, link, requestId } = visit;
    const { own, via } = readVisitorQuery(visit.query);
    const visitor = visitorFrom(request, via);
    const answer = answerFor(project, link, visitor, own, via === 'page' || via === 'ipad-page');
    // The hot path goes first, and makes nothing that it does not need.
    if (answer.kind === 'redirect') {
      redirectTo(response, answer.location, requestId);
      this.#count(visit, visitor, via, request);
      return answer.kind;
    }
    const read = { ...visit, visitor, own, request };
    switch (answer.kind) {
      case 'play-store':
        redirectTo(response, this.#playStore(answer.packageName, read), requestId);
        break;
      case 'preview':
        sendPage(request, response, 200, this.#preview(read), {
          ...varies,
          'X-Request-Id': requestId,
          'Cache-Control': 'public, max-age=300',
        });
        break;
      case 'in-app-browser':
      case 'get-the-app':
      case 'landing': {
        const page =
          answer.kind === 'in-app-browser'
            ? this.#inAppBrowser(answer, read)
            : answer.kind === 'get-the-app'
              ? this.#getTheApp(answer, read)
              : this.#landing(read);
        sendPage(request, response, 200, page, {
          ...varies,
          'X-Request-Id': requestId,
          ...privately,
          'X-Robots-Tag': 'noindex',
        });
      }
    }
    this.#count(visit, visitor, via, request);
    return answer.kind;
  }

  #count({ project, link }: Visit, visitor: Visitor, via: string | null, request: IncomingMessage): void {
    if (!this.clicks) return;
    const click = this.clickReader.read(project, link, visitor, via, request);
    if (click) this.clicks.record(click);
  }

  /** The address as it was visited, on the host that the settings give the project: never from the `Host` header. */
  #urlOf({ project, path, own }: ReadVisit): string {
    const url = this.hosts.urlOf(project.subdomain, path);
    return own === '' ? url : `${url}?${asciiOnly(own)}`;
  }

  #playStore(packageName: string, read: ReadVisit): string {
    return playStoreUrl(packageName, read.link.referrerParams, read.own, this.#token(read));
  }

  /** Only for a person who really comes: a HEAD or a crawler installs nothing. */
  #token({ project, link, visitor, request }: ReadVisit): string | null {
    if (request.method !== 'GET' || visitor.robot || visitor.platform === 'desktop') return null;
    if (this.tokenCounts.count(this.addresses.networkOf(request), rateLimitWindow) > mostTokensPerMinute) return null;
    return this.deferredLinks.issue(visitor.platform, project.id, link.id);
  }

  #preview(read: ReadVisit): Page {
    const siteName = this.hosts.hostOf(read.project.subdomain);
    return previewPage({ url: this.#urlOf(read), siteName, ...shown(read.link) });
  }

  #getTheApp({ appName, storeUrl }: { appName: string; storeUrl: string }, read: ReadVisit): Page {
    const url = this.#urlOf(read);
    const token = this.#token(read);
    const copied = token === null ? url : marked(url, 'token', token);
    return getTheAppPage({ appName, storeUrl, copied, ...shown(read.link) });
  }

  #inAppBrowser({ app, otherwise }: InAppBrowserPage, read: ReadVisit): Page {
    const url = this.#urlOf(read);
    const continueUrl = this.#continueUrl(otherwise, read);
    const openUrl = app.platform === 'ios' ? url : intentUrl(url, app.packageName, continueUrl);
    return inAppBrowserPage({ appName: app.name, openUrl, continueUrl, ...shown(read.link) });
  }

  #continueUrl(otherwise: RegularAnswer, read: ReadVisit): string {
    if (otherwise.kind === 'redirect') return otherwise.location;
    if (otherwise.kind === 'play-store') return this.#playStore(otherwise.packageName, read);
    return marked(this.#urlOf(read), 'via', read.visitor.macintosh ? 'ipad-page' : 'page');
  }

  #landing(read: ReadVisit): Page {
    const { project, link, visitor, own } = read;
    const { iosApp, androidApp } = appsOf(project, link);
    const url = this.#urlOf(read);
    const onIos = visitor.macintosh && answerFor(project, link, { ...visitor, platform: 'ios' }, own, true);
    const { title, ...rest } = shown(link);
    return landingPage({
      url: inQrCode(url),
      title: title || this.hosts.hostOf(project.subdomain),
      ...rest,
      appStoreUrl: iosApp?.storeId ? appStoreUrl(iosApp.storeId, link.referrerParams, own) : null,
      playStoreUrl: androidApp ? playStoreUrl(androidApp.packageName, link.referrerParams, own, null) : null,
      ipadUrl: onIos && onIos.kind !== 'landing' ? marked(url, 'via', 'ipad') : null,
    });
  }
}

function visitorFrom(request: IncomingMessage, via: string | null): Visitor {
  const visitor = visitorOf({
    userAgent: request.headers['user-agent'],
    clientHint: request.headers['sec-ch-ua-platform'] as string | undefined,
  });
  const isIpad = visitor.macintosh && (via === 'ipad' || via === 'ipad-page');
  return isIpad ? { ...visitor, platform: 'ios' } : visitor;
}

/** A flat list of headers is what Node writes fastest: names and values in turn. */
function redirectTo(response: ServerResponse, location: string, requestId: string): void {
  response.writeHead(302, [
    'Location',
    location,
    'Cache-Control',
    privately['Cache-Control'],
    'Vary',
    varies.Vary,
    'X-Request-Id',
    requestId,
    'Content-Length',
    '0',
  ]);
  endTogether(response);
}

const shown = (link: VisitedLink) => ({
  title: link.socialTitle,
  description: link.socialDescription,
  imageUrl: link.socialImageUrl,
});

/** Opens the app where it is installed, else the fallback (Chrome for Developers, "Android Intents with Chrome"). */
function intentUrl(url: string, packageName: string, fallbackUrl: string): string {
  const { protocol } = new URL(url);
  const address = url.slice(protocol.length);
  return `intent:${address}#Intent;scheme=${protocol.slice(0, -1)};package=${packageName};S.browser_fallback_url=${encodeURIComponent(fallbackUrl)};end`;
}
