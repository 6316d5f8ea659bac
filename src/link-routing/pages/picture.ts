import { webUrl } from './safe-urls';
import { markup, type Markup } from '../../shared/markup';

/** Origins that `img-src` can express (Content Security Policy Level 3, 2.3.1) and that cannot end the directive. */
const cspOrigin = /^https?:\/\/[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?(:\d+)?$/;

/** The link's picture, the only external resource of a page. */
export interface Picture {
  markup: Markup;
  origin: string;
}

/**
 * Returns null without a picture, or if the policy cannot express its host. `https://a;sandbox/` and `https://*.example/`
 * are valid URLs that would change the policy.
 */
export function pictureOf(imageUrl: string | null): Picture | null {
  const address = webUrl(imageUrl);
  const origin = address && new URL(address).origin;
  if (!address || !origin || !cspOrigin.test(origin)) return null;
  // `alt` is empty, because the picture has no description and the heading names the link. The style reserves its space, so
  // that buttons do not move while it loads.
  const image = markup`<img src="${address}" alt="" referrerpolicy="no-referrer">`;
  return { markup: markup`<div class="picture">${image}</div>`, origin };
}
