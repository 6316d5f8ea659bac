import { type AnswerContents, hasClickId, type ParsedVisit } from '../link-routing/answer-contents';
import { qrCodeUrl } from '../links/link-paths/reserved-parameters';
import type { InAppBrowserPage, OtherSchemePage } from '../link-routing/destination';
import { getTheAppPage } from '../link-routing/pages/get-the-app';
import { inAppBrowserPage } from '../link-routing/pages/in-app-browser';
import { landingPage } from '../link-routing/pages/landing';
import { linkQrCode } from '../link-routing/pages/link-qr-code';
import { otherSchemePage } from '../link-routing/pages/other-scheme';
import type { HtmlPage } from '../link-routing/pages/page';
import type { PageLanguage } from '../link-routing/pages/page-texts';
import { previewPage } from '../link-routing/pages/preview';
import type { CachedLink, CachedProject } from './cached-models';
import type { LinkQrCodes } from './link-qr-codes';
import type { PageCache } from './page-cache';

interface PageVisit extends ParsedVisit {
  project: CachedProject;
  link: CachedLink;
}

/** Renders the pages of links. Caches the parts that a link shows to everyone, and whole pages of visits without parameters. */
export class LinkPages<V extends PageVisit> {
  constructor(
    private readonly contents: AnswerContents<V>,
    private readonly cache: PageCache,
    private readonly qrCodes: LinkQrCodes,
  ) {}

  preview(visit: V): HtmlPage {
    return this.#page(visit, 'preview', true, () => this.contents.preview(visit), previewPage);
  }

  inAppBrowser(answer: InAppBrowserPage, visit: V, language: PageLanguage): HtmlPage {
    const variant = `in-app-${answer.app.platform}-${visit.visitor.escape ?? 'none'}-${visit.visitor.androidStore ?? 'none'}-${language}`;
    // The Play Store's URL contains a token, and that of a web destination a click id, which differ for each visit.
    const isSame = answer.fallback.kind !== 'play-store' && !hasClickId(answer);
    return this.#page(
      visit,
      variant,
      isSame,
      () => this.contents.inAppBrowser(answer, visit),
      (card) => inAppBrowserPage(card, language),
    );
  }

  getTheApp(answer: { appName: string; storeUrl: string }, visit: V, language: PageLanguage): HtmlPage {
    return this.#page(
      visit,
      `get-the-app-${language}`,
      false,
      () => this.contents.getTheApp(answer, visit),
      (card) => getTheAppPage(card, language),
    );
  }

  otherScheme(answer: OtherSchemePage, visit: V, language: PageLanguage): HtmlPage {
    const { robot, platform, inAppBrowser, escape } = visit.visitor;
    return this.#page(
      visit,
      `other-scheme-${robot}-${platform}-${inAppBrowser}-${escape ?? 'none'}-${language}`,
      true,
      () => this.contents.otherScheme(answer, visit),
      (card) => otherSchemePage(card, language),
    );
  }

  landing(visit: V, language: PageLanguage): HtmlPage {
    const plain = visit.visitorQuery === '';
    const content = () => {
      const urls = this.contents.landing(visit);
      const code = plain
        ? linkQrCode(urls.url)
        : this.qrCodes.codeOf(urls.url, qrCodeUrl(this.contents.urlOf({ ...visit, visitorQuery: '' })));
      return { ...urls, code };
    };
    // An iPad is sent on to the page that offers the app.
    const offersApp = visit.visitor.inAppBrowser && !visit.wasOfferedApp;
    const variant = `${offersApp ? 'landing-in-app' : 'landing'}-${visit.visitor.platform}-${language}`;
    return this.#page(visit, variant, true, content, (card) => landingPage(card, language));
  }

  /** @param isSame whether all visits without parameters get the same page */
  #page<Card extends Urls, Urls>(
    visit: V,
    variant: string,
    isSame: boolean,
    contentOf: () => Card,
    template: (card: Card) => (urls: Urls) => HtmlPage,
  ): HtmlPage {
    // Long links have no version, and seldom two visits.
    if (visit.longQuery !== undefined) {
      const card = contentOf();
      return template(card)(card);
    }
    const { project, link } = visit;
    const device = visit.visitor.macintosh ? 'macintosh' : 'other';
    const key = `${variant} ${device} ${project.site}/${visit.path}`;
    const known = this.cache.get<Urls>(key, project, link);
    if (known?.plain && visit.visitorQuery === '') return known.plain;
    const content = contentOf();
    const render = known?.render ?? template(content);
    const page = render(content);
    const isPlain = isSame && visit.visitorQuery === '';
    if (!known || isPlain) this.cache.set(key, project, link, { render, plain: isPlain ? page : known?.plain }, page);
    return page;
  }
}
