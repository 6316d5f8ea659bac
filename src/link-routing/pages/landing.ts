import { webUrl } from './safe-urls';
import type { Card } from './card';
import { markup, type Markup } from './markup';
import { type Page, pageTemplate } from './page';
import { descriptionOf, headingOf, primaryButton } from './parts';
import { pictureOf } from './picture';
import { redirectIpad } from './redirect-ipad';

export interface LandingUrls {
  appStoreUrl: string | null;
  playStoreUrl: string | null;
  /** The visitor has a phone, and the page has no link to its store. */
  lacksOwnStore: boolean;
  /** The URL for an iPad that sends the user agent of a Macintosh; null if an iPad gets this page too. */
  ipadUrl: string | null;
  /** The link's QR code; null if its URL is too long for one. */
  code: Markup | null;
}

/** Renders the page of a link without a destination for its visitor. */
export function landingPage({ title, description, imageUrl }: Card): (urls: LandingUrls) => Page {
  const template = pageTemplate({
    title,
    picture: pictureOf(imageUrl),
    script: redirectIpad,
    top: markup`${headingOf(title)}
${descriptionOf(description)}
`,
  });
  return (urls) => {
    const stores = storeButtons(urls);
    return template({
      scriptValue: webUrl(urls.ipadUrl),
      main: markup`${urls.lacksOwnStore || (!description && !stores) ? noPage : null}
${stores}
${urls.code}`,
    });
  };
}

const noPage = markup`<p class="description">This link has no page for your device.</p>`;

function storeButtons(urls: LandingUrls): Markup | null {
  const buttons = [
    primaryButton(webUrl(urls.appStoreUrl), 'Download on the App Store'),
    primaryButton(webUrl(urls.playStoreUrl), 'Get it on Google Play'),
  ].filter((button) => button !== null);
  return buttons.length ? markup`<div class="buttons">${buttons}</div>` : null;
}
