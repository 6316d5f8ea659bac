import { appAddress, webAddress } from './addresses';
import { markup } from './markup';
import { type Page, pageOf } from './page';
import { descriptionOf, headingOf, nameAbove, nameWithin, primaryButton, secondaryButton } from './parts';
import { pictureOf } from './picture';

export interface OfferedApp {
  appName: string;
  /** http, https or, on Android, intent: what opens the app once it is tapped. */
  openUrl: string;
  /** Where the visitor would have gone without an app. */
  continueUrl: string;
  title: string;
  description: string | null;
  imageUrl: string | null;
}

/** For browsers inside of other apps, where a link opens its app only by a tap. */
export function inAppBrowserPage({ appName, openUrl, continueUrl, title, description, imageUrl }: OfferedApp): Page {
  return pageOf({
    title,
    picture: pictureOf(imageUrl),
    main: markup`${nameAbove(appName, title)}
${headingOf(title)}
${descriptionOf(description)}
<div class="buttons">
${primaryButton(appAddress(openUrl), 'Open in app')}
${secondaryButton(webAddress(continueUrl), 'Continue')}
</div>
<p class="note">This link belongs in ${nameWithin(appName)}. Without the app, continue here.</p>`,
  });
}
