import { type AnswerContents, hasClickId, type ParsedVisit } from '../../link-routing/answers/answer-contents';
import { qrCodeUrl } from '../../link-paths/paths/reserved-parameters';
import type { Answer, InAppBrowserPage, OtherSchemePage } from '../../link-routing/answers/answer';
import { getTheAppPage } from '../../link-routing/pages/get-the-app';
import { inAppBrowserPage } from '../../link-routing/pages/in-app-browser';
import { landingPage } from '../../link-routing/pages/landing';
import { linkQrCode } from '../../link-routing/pages/link-qr-code';
import { otherSchemePage } from '../../link-routing/pages/other-scheme';
import type { HtmlPage } from '../../link-routing/pages/page';
import type { PageLanguage } from '../../link-routing/pages/page-texts';
import { previewPage } from '../../link-routing/pages/preview';
import type { CachedLink, CachedProject } from '../resolving/cached-models';
import type { LinkQrCodes } from './link-qr-codes';
import type { PageCache } from './page-cache';

interface PageVisit extends ParsedVisit {
  project: CachedProject;
  link: CachedLink;
}

type DevicePage = Extract<Answer, { kind: 'in-app-browser' | 'get-the-app' | 'other-scheme' | 'landing' }>;

/** Renders the pages of links. Caches those of visits without parameters. */
export class LinkPages<V extends PageVisit> {
  constructor(
    private readonly contents: AnswerContents<V>,
    private readonly cache: PageCache,
    private readonly qrCodes: LinkQrCodes,
  ) {}

  preview(visit: V): HtmlPage {
    return this.#page(visit, 'preview', () => previewPage(this.contents.preview(visit)));
  }

  /** Renders the page of an answer that depends on the device. */
  page(answer: DevicePage, visit: V, language: PageLanguage): HtmlPage {
    switch (answer.kind) {
      case 'in-app-browser':
        return this.inAppBrowser(answer, visit, language);
      case 'get-the-app':
        return this.getTheApp(answer, visit, language);
      case 'other-scheme':
        return this.otherScheme(answer, visit, language);
      case 'landing':
        return this.landing(visit, language);
    }
  }

  inAppBrowser(answer: InAppBrowserPage, visit: V, language: PageLanguage): HtmlPage {
    const render = () => inAppBrowserPage(this.contents.inAppBrowser(answer, visit), language);
    // The Play Store's URL contains a token, and that of a web destination a click id, which differ for each visit.
    if (answer.fallback.kind === 'play-store' || hasClickId(answer)) return render();
    const variant = `in-app-${answer.app.platform}-${escapeKeyOf(visit)}-${visit.visitor.androidStore ?? 'none'}-${language}`;
    return this.#page(visit, variant, render);
  }

  /** Renders a page with a token, which differs for each visit. */
  getTheApp(answer: { appName: string; storeUrl: string }, visit: V, language: PageLanguage): HtmlPage {
    return getTheAppPage(this.contents.getTheApp(answer, visit), language);
  }

  otherScheme(answer: OtherSchemePage, visit: V, language: PageLanguage): HtmlPage {
    const { robot, platform, inAppBrowser } = visit.visitor;
    const variant = `other-scheme-${robot}-${platform}-${inAppBrowser}-${escapeKeyOf(visit)}-${language}`;
    return this.#page(visit, variant, () => otherSchemePage(this.contents.otherScheme(answer, visit), language));
  }

  landing(visit: V, language: PageLanguage): HtmlPage {
    // An iPad is sent on to the page that offers the app.
    const offersApp = visit.visitor.inAppBrowser && !visit.wasOfferedApp;
    const variant = `${offersApp ? 'landing-in-app' : 'landing'}-${visit.visitor.platform}-${language}`;
    return this.#page(visit, variant, () => {
      const content = this.contents.landing(visit);
      const code =
        visit.visitorQuery === ''
          ? linkQrCode(content.url)
          : this.qrCodes.codeOf(content.url, qrCodeUrl(this.contents.urlOf({ ...visit, visitorQuery: '' })));
      return landingPage({ ...content, code }, language);
    });
  }

  #page(visit: V, variant: string, render: () => HtmlPage): HtmlPage {
    // Long links have no version, and seldom two visits.
    if (visit.longQuery !== undefined || visit.visitorQuery !== '') return render();
    const { project, link } = visit;
    const device = visit.visitor.macintosh ? 'macintosh' : 'other';
    const key = `${variant} ${device} ${project.site}/${visit.path}`;
    const known = this.cache.get(key, project, link);
    if (known) return known;
    const page = render();
    this.cache.set(key, project, link, page);
    return page;
  }
}

const escapeKeyOf = ({ escape }: ParsedVisit): string => (escape ? `${escape.address} ${escape.via}` : 'none');
