import { webUrl } from './safe-urls';
import { type Card, type HtmlPage, renderPage, scriptOf } from './page';
import { markup, type Markup } from '../../shared/markup';
import { type PageLanguage, pageTexts } from './page-texts';
import { descriptionOf, headingOf, primaryButton } from './parts';
import { pictureOf } from './picture';

/**
 * Redirects an iPad by a script in the page, because only scripts can read the touch points. Safari on an iPad sends the user
 * agent of a Macintosh by default (https://webkit.org/blog/9674/new-webkit-features-in-safari-13/).
 */
export const redirectIpad = scriptOf(`
if (/\\bMacintosh\\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  location.replace(document.currentScript.dataset.value);
`);

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

export function landingPage(card: Card & LandingUrls, language: PageLanguage): HtmlPage {
  const { title, description, imageUrl } = card;
  const stores = storeButtons(card, language);
  const noPage = markup`<p class="description">${pageTexts[language].noPage}</p>`;
  return renderPage({
    title,
    language,
    picture: pictureOf(imageUrl),
    script: redirectIpad,
    scriptValue: webUrl(card.ipadUrl),
    main: markup`${headingOf(title)}
${descriptionOf(description)}
${card.lacksOwnStore || (!description && !stores) ? noPage : null}
${stores}
${card.code && phoneSection(card.code, language)}`,
  });
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
