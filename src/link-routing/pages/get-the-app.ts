import { webUrl } from './safe-urls';
import { copyThenOpenStore } from './copy-then-open-store';
import { markup } from './markup';
import { type Page, pageOf } from './page';
import { descriptionOf, headingOf, nameAbove, inlineName, secondaryButton } from './parts';
import { pictureOf } from './picture';

export interface GetTheAppContent {
  appName: string;
  storeUrl: string;
  /** The text for the clipboard: the link with its single-use token. */
  clipboardText: string;
  title: string;
  description: string | null;
  imageUrl: string | null;
}

/** Renders the page before the App Store. The App Store passes nothing to the installed app, so the clipboard carries the link. */
export function getTheAppPage({
  appName,
  storeUrl,
  clipboardText,
  title,
  description,
  imageUrl,
}: GetTheAppContent): Page {
  const store = webUrl(storeUrl);
  return pageOf({
    title,
    picture: pictureOf(imageUrl),
    script: { text: copyThenOpenStore, value: clipboardText },
    main: markup`${nameAbove(appName, title)}
${headingOf(title)}
${descriptionOf(description)}
<div class="buttons">
${store && markup`<a class="button primary" id="get" href="${store}" aria-describedby="copied">Get the app</a>`}
${secondaryButton(store, 'Continue without copying')}
</div>
<p class="note" id="copied">“Get the app” copies this link and a code that works once to your
clipboard, so that ${inlineName(appName)} can open this link after it is installed.</p>
<noscript><p class="note">JavaScript is off in this browser, so nothing is copied.</p></noscript>`,
  });
}
