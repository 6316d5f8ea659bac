import { webUrl } from './safe-urls';
import { type Card, type HtmlPage, renderPage } from './page';
import { copyThenOpenStore } from './copy-then-open-store';
import { markup } from '../../shared/markup';
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
export function getTheAppPage(card: GetTheAppCard & GetTheAppUrls, language: PageLanguage): HtmlPage {
  const { appName, title, description, imageUrl } = card;
  const texts = pageTexts[language];
  const store = webUrl(card.storeUrl);
  return renderPage({
    title,
    language,
    picture: pictureOf(imageUrl),
    script: copyThenOpenStore,
    scriptValue: card.clipboardText,
    main: markup`${nameAbove(appName, title)}
${headingOf(title)}
${descriptionOf(description)}
<div class="buttons">
${store && markup`<a class="button primary" id="get" href="${store}" aria-describedby="copied">${texts.getTheApp}</a>`}
${secondaryButton(webUrl(card.openUrl), texts.openInApp)}
${store && markup`<a class="button" id="continue" href="${store}">${texts.continueWithoutCopying}</a>`}
</div>
<p class="note" id="copied">${texts.copies(inlineName(appName))}</p>
<noscript><p class="note">${texts.copiesNothing}</p></noscript>`,
  });
}
