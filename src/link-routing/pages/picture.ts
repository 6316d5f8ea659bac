import { webAddress } from './addresses';
import { markup, type Markup } from './markup';

/** What `img-src` can name (Content Security Policy Level 3, 2.3.1), and nothing that would end the directive. */
const nameableOrigin = /^https?:\/\/[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?(:\d+)?$/;

/** The link's own picture: the one thing that a page fetches, and from where it may. */
export interface Picture {
  markup: Markup;
  origin: string;
}

/**
 * Null without a picture, and for one whose host the policy cannot name: `https://a;sandbox/` and `https://*.example/` are
 * valid addresses, and would change the policy.
 */
export function pictureOf(imageUrl: string | null): Picture | null {
  const address = webAddress(imageUrl);
  const origin = address && new URL(address).origin;
  if (!address || !origin || !nameableOrigin.test(origin)) return null;
  // No text in place of the picture: nobody has described it, and the heading beside it says what the link is. Its place is
  // kept while it loads, so that no button moves from under a finger.
  const image = markup`<img src="${address}" alt="" referrerpolicy="no-referrer">`;
  return { markup: markup`<div class="picture">${image}</div>`, origin };
}
