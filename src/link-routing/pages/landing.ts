import { webAddress } from './addresses';
import { markup, type Markup } from './markup';
import { type Page, pageOf } from './page';
import { descriptionOf, headingOf, primaryButton } from './parts';
import { phoneCode } from './phone-code';
import { pictureOf } from './picture';
import { sendIpadOn } from './send-ipad-on';

export interface Landing {
  /** What the QR code says. */
  url: string;
  title: string;
  description: string | null;
  imageUrl: string | null;
  appStoreUrl: string | null;
  playStoreUrl: string | null;
  /** Where an iPad goes that calls itself a Macintosh; null where it has nowhere else to go. */
  ipadUrl: string | null;
}

/** For a link that has no destination for its visitor. */
export function landingPage(link: Landing): Page {
  const stores = storesOf(link);
  const ipadUrl = webAddress(link.ipadUrl);
  return pageOf({
    title: link.title,
    picture: pictureOf(link.imageUrl),
    script: ipadUrl === null ? null : { text: sendIpadOn, value: ipadUrl },
    main: markup`${headingOf(link.title)}
${descriptionOf(link.description)}
${!link.description && !stores ? markup`<p class="description">This link has no page for your device.</p>` : null}
${stores}
${phoneCode(link.url)}`,
  });
}

function storesOf(link: Landing): Markup | null {
  const buttons = [
    primaryButton(webAddress(link.appStoreUrl), 'Download on the App Store'),
    primaryButton(webAddress(link.playStoreUrl), 'Get it on Google Play'),
  ].filter((button) => button !== null);
  return buttons.length ? markup`<div class="buttons">${buttons}</div>` : null;
}
