import { webUrl } from './safe-urls';
import type { Card } from './card';
import { copyThenOpenStore } from './copy-then-open-store';
import { markup } from './markup';
import { type Page, pageTemplate } from './page';
import { descriptionOf, headingOf, nameAbove, inlineName, secondaryButton } from './parts';
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
export function getTheAppPage({ appName, title, description, imageUrl }: GetTheAppCard): (urls: GetTheAppUrls) => Page {
  const template = pageTemplate({
    title,
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
<p class="note" id="copied">“Get the app” copies this link and a code that works once to your
clipboard, so that ${inlineName(appName)} can open this link after it is installed.</p>
<noscript><p class="note">JavaScript is off in this browser, so nothing is copied.</p></noscript>`;
  return ({ storeUrl, clipboardText, openUrl }) => {
    const store = webUrl(storeUrl);
    return template({
      scriptValue: clipboardText,
      main: markup`${store && markup`<a class="button primary" id="get" href="${store}" aria-describedby="copied">Get the app</a>`}
${secondaryButton(webUrl(openUrl), 'Open in app')}
${secondaryButton(store, 'Continue without copying')}${end}`,
    });
  };
}
