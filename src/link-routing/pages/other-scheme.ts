import { type Card, type HtmlPage, renderPage, scriptOf } from './page';
import { markup } from '../../shared/markup';
import { type PageLanguage, pageTexts } from './page-texts';
import { descriptionOf, headingOf, primaryButton, secondaryButton } from './parts';
import { pictureOf } from './picture';
import { browserUrl as escapeAddress, otherSchemeUrl } from './safe-urls';

export interface OtherSchemeUrls {
  destination: string;
  /** Whether a script opens it without a tap. */
  isAttempted: boolean;
  /** Opens the link in the browser of the device; null if no way is known. */
  browserUrl: string | null;
}

/** Waits for the page, which people need if nothing opens. */
const openDestination = scriptOf(`
const { value } = document.currentScript.dataset;
addEventListener('load', () => location.assign(value));
`);

/**
 * Renders the page of a destination that another program than the browser opens. A tap works where redirects do not. The page shows the
 * destination, for people without such a program.
 */
export function otherSchemePage(card: Card & OtherSchemeUrls, language: PageLanguage): HtmlPage {
  const { title, description, imageUrl } = card;
  const texts = pageTexts[language];
  const url = otherSchemeUrl(card.destination);
  return renderPage({
    title,
    language,
    picture: pictureOf(imageUrl),
    script: openDestination,
    scriptValue: card.isAttempted ? url : null,
    main: markup`${headingOf(title)}
${descriptionOf(description)}
<div class="buttons">
${primaryButton(url, texts.open)}
${secondaryButton(escapeAddress(card.browserUrl), texts.openInBrowser)}
</div>
<p class="note" lang="" dir="ltr">${url}</p>`,
  });
}
