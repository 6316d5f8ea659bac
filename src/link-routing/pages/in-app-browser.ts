import { appUrl, browserUrl as escapeAddress, webUrl } from './safe-urls';
import { type Card, type HtmlPage, renderPage } from './page';
import { markup } from '../../shared/markup';
import { type PageLanguage, pageTexts } from './page-texts';
import { descriptionOf, headingOf, inlineName, nameAbove, primaryButton, secondaryButton } from './parts';
import { pictureOf } from './picture';

export interface InAppBrowserCard extends Card {
  appName: string;
}

export interface InAppBrowserUrls {
  /** Opens the app when tapped: http, https or, on Android, `intent:`. */
  openUrl: string;
  /** Opens the link in the browser of the device; null if no way is known. */
  browserUrl: string | null;
  continueUrl: string;
}

/** Renders the page for in-app browsers, where a link opens its app only by a tap. */
export function inAppBrowserPage(card: InAppBrowserCard & InAppBrowserUrls, language: PageLanguage): HtmlPage {
  const { appName, title, description, imageUrl } = card;
  const texts = pageTexts[language];
  return renderPage({
    title,
    language,
    picture: pictureOf(imageUrl),
    main: markup`${nameAbove(appName, title)}
${headingOf(title)}
${descriptionOf(description)}
<div class="buttons">
${primaryButton(appUrl(card.openUrl), texts.openInApp)}
${secondaryButton(escapeAddress(card.browserUrl), texts.openInBrowser)}
${secondaryButton(webUrl(card.continueUrl), texts.continue)}
</div>
<p class="note">${texts.belongsInApp(inlineName(appName))}</p>`,
  });
}
