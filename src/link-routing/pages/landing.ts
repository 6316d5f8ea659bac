import { webUrl } from './safe-urls';
import type { Card } from './card';
import { markup, type Markup } from './markup';
import { type HtmlPage, pageTemplate } from './page';
import { type PageLanguage, pageTexts } from './page-texts';
import { descriptionOf, headingOf, primaryButton } from './parts';
import { pictureOf } from './picture';
import { redirectIpad } from './redirect-ipad';

export interface LandingUrls {
  appStoreUrl: string | null;
  playStoreUrl: string | null;
  /** The visitor has a phone, and the page has no link to its store. */
  lacksOwnStore: boolean;
  /** The URL for an iPad that sends the user agent of a Macintosh; null if an iPad gets this page too. */
  ipadUrl: string | null;
  /** The link's QR code; null if its URL is too long for one. */
  code: Markup | null;
}

/** Renders the page of a link without a destination for its visitor. */
export function landingPage(
  { title, description, imageUrl }: Card,
  language: PageLanguage,
): (urls: LandingUrls) => HtmlPage {
  const texts = pageTexts[language];
  const template = pageTemplate({
    title,
    language,
    picture: pictureOf(imageUrl),
    script: redirectIpad,
    top: markup`${headingOf(title)}
${descriptionOf(description)}
`,
  });
  const noPage = markup`<p class="description">${texts.noPage}</p>`;
  return (urls) => {
    const stores = storeButtons(urls, language);
    return template({
      scriptValue: webUrl(urls.ipadUrl),
      main: markup`${urls.lacksOwnStore || (!description && !stores) ? noPage : null}
${stores}
${urls.code && phoneSection(urls.code, language)}`,
    });
  };
}

function storeButtons(urls: LandingUrls, language: PageLanguage): Markup | null {
  const { appStore, playStore } = pageTexts[language];
  const buttons = [
    primaryButton(webUrl(urls.appStoreUrl), appStore),
    primaryButton(webUrl(urls.playStoreUrl), playStore),
  ].filter((button) => button !== null);
  return buttons.length ? markup`<div class="buttons">${buttons}</div>` : null;
}

function phoneSection(code: Markup, language: PageLanguage): Markup {
  const { qrCode, onYourPhone, scanCode } = pageTexts[language];
  return markup`<section class="phone">
<div class="code" role="img" aria-label="${qrCode}">${code}</div>
<p><strong>${onYourPhone}</strong><br>${scanCode}</p>
</section>`;
}
