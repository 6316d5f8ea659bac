import { webUrl } from './safe-urls';
import { type Card, type HtmlPage, pageTemplate } from './page';
import { copyThenOpenStore } from './copy-then-open-store';
import { markup } from './markup';
import { type PageLanguage, pageTexts } from './page-texts';
import { descriptionOf, headingOf, inlineName, nameAbove, secondaryButton } from './parts';
import { pictureOf } from './picture';

export interface GetTheAppCard extends Card {
  appName: string;
}

export interface GetTheAppUrls {
  storeUrl: string;
  /** The text for the clipboard: the link with its single-use token. */
  clipboardText: string;
  /** Opens the app if it is installed already; null for a visitor who tried it. */
  openUrl: string | null;
}

/** Renders the page before the App Store. The App Store passes nothing to the installed app, so the clipboard carries the link. */
export function getTheAppPage(
  { appName, title, description, imageUrl }: GetTheAppCard,
  language: PageLanguage,
): (urls: GetTheAppUrls) => HtmlPage {
  const texts = pageTexts[language];
  const template = pageTemplate({
    title,
    language,
    picture: pictureOf(imageUrl),
    script: copyThenOpenStore,
    top: markup`${nameAbove(appName, title)}
${headingOf(title)}
${descriptionOf(description)}
<div class="buttons">
`,
  });
  const end = markup`
</div>
<p class="note" id="copied">${texts.copies(inlineName(appName))}</p>
<noscript><p class="note">${texts.copiesNothing}</p></noscript>`;
  return ({ storeUrl, clipboardText, openUrl }) => {
    const store = webUrl(storeUrl);
    return template({
      scriptValue: clipboardText,
      main: markup`${store && markup`<a class="button primary" id="get" href="${store}" aria-describedby="copied">${texts.getTheApp}</a>`}
${secondaryButton(webUrl(openUrl), texts.openInApp)}
${secondaryButton(store, texts.continueWithoutCopying)}${end}`,
    });
  };
}
