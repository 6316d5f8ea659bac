import { appUrl, browserUrl as escapeAddress, webUrl } from './safe-urls';
import { type Card, type HtmlPage, pageTemplate } from './page';
import { markup } from './markup';
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
export function inAppBrowserPage(
  { appName, title, description, imageUrl }: InAppBrowserCard,
  language: PageLanguage,
): (urls: InAppBrowserUrls) => HtmlPage {
  const texts = pageTexts[language];
  const template = pageTemplate({
    title,
    language,
    picture: pictureOf(imageUrl),
    top: markup`${nameAbove(appName, title)}
${headingOf(title)}
${descriptionOf(description)}
<div class="buttons">
`,
  });
  const end = markup`
</div>
<p class="note">${texts.belongsInApp(inlineName(appName))}</p>`;
  return ({ openUrl, browserUrl, continueUrl }) =>
    template({
      main: markup`${primaryButton(appUrl(openUrl), texts.openInApp)}
${secondaryButton(escapeAddress(browserUrl), texts.openInBrowser)}
${secondaryButton(webUrl(continueUrl), texts.continue)}${end}`,
    });
}
