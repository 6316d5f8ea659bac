import { webAddress } from './addresses';
import { copyOnTheWay } from './copy-on-the-way';
import { markup } from './markup';
import { type Page, pageOf } from './page';
import { descriptionOf, headingOf, nameAbove, nameWithin, secondaryButton } from './parts';
import { pictureOf } from './picture';

export interface WantedApp {
  appName: string;
  storeUrl: string;
  /** Goes to the clipboard: the link with its single-use token. */
  copied: string;
  title: string;
  description: string | null;
  imageUrl: string | null;
}

/** On the way to the App Store, where the clipboard is all that the installed app will know of the link. */
export function getTheAppPage({ appName, storeUrl, copied, title, description, imageUrl }: WantedApp): Page {
  const store = webAddress(storeUrl);
  return pageOf({
    title,
    picture: pictureOf(imageUrl),
    script: { text: copyOnTheWay, value: copied },
    main: markup`${nameAbove(appName, title)}
${headingOf(title)}
${descriptionOf(description)}
<div class="buttons">
${store && markup`<a class="button primary" id="get" href="${store}" aria-describedby="copied">Get the app</a>`}
${secondaryButton(store, 'Continue without copying')}
</div>
<p class="note" id="copied">“Get the app” copies this link and a code that works once to your
clipboard, so that ${nameWithin(appName)} can open this link after it is installed.</p>
<noscript><p class="note">JavaScript is off in this browser, so nothing is copied.</p></noscript>`,
  });
}
