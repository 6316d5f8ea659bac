import { appUrl, webUrl } from './safe-urls';
import { markup } from './markup';
import { type Page, pageOf } from './page';
import { descriptionOf, headingOf, nameAbove, inlineName, primaryButton, secondaryButton } from './parts';
import { pictureOf } from './picture';

export interface InAppBrowserContent {
  appName: string;
  /** Opens the app when tapped: http, https or, on Android, `intent:`. */
  openUrl: string;
  /** The destination without the app. */
  continueUrl: string;
  title: string;
  description: string | null;
  imageUrl: string | null;
}

/** Renders the page for in-app browsers, where a link opens its app only by a tap. */
export function inAppBrowserPage({
  appName,
  openUrl,
  continueUrl,
  title,
  description,
  imageUrl,
}: InAppBrowserContent): Page {
  return pageOf({
    title,
    picture: pictureOf(imageUrl),
    main: markup`${nameAbove(appName, title)}
${headingOf(title)}
${descriptionOf(description)}
<div class="buttons">
${primaryButton(appUrl(openUrl), 'Open in app')}
${secondaryButton(webUrl(continueUrl), 'Continue')}
</div>
<p class="note">This link belongs in ${inlineName(appName)}. Without the app, continue here.</p>`,
  });
}
