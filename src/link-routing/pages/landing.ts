import { webUrl } from './safe-urls';
import { markup, type Markup } from './markup';
import { type Page, pageOf } from './page';
import { descriptionOf, headingOf, primaryButton } from './parts';
import { linkQrCode } from './link-qr-code';
import { pictureOf } from './picture';
import { redirectIpad } from './redirect-ipad';

export interface LandingContent {
  /** The content of the QR code. */
  url: string;
  title: string;
  description: string | null;
  imageUrl: string | null;
  appStoreUrl: string | null;
  playStoreUrl: string | null;
  /** The URL for an iPad that sends the user agent of a Macintosh; null if an iPad gets this page too. */
  ipadUrl: string | null;
}

/** Renders the page of a link without a destination for its visitor. */
export function landingPage(link: LandingContent): Page {
  const stores = storeButtons(link);
  const ipadUrl = webUrl(link.ipadUrl);
  return pageOf({
    title: link.title,
    picture: pictureOf(link.imageUrl),
    script: ipadUrl === null ? null : { text: redirectIpad, value: ipadUrl },
    main: markup`${headingOf(link.title)}
${descriptionOf(link.description)}
${!link.description && !stores ? markup`<p class="description">This link has no page for your device.</p>` : null}
${stores}
${linkQrCode(link.url)}`,
  });
}

function storeButtons(link: LandingContent): Markup | null {
  const buttons = [
    primaryButton(webUrl(link.appStoreUrl), 'Download on the App Store'),
    primaryButton(webUrl(link.playStoreUrl), 'Get it on Google Play'),
  ].filter((button) => button !== null);
  return buttons.length ? markup`<div class="buttons">${buttons}</div>` : null;
}
