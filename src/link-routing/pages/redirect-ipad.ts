import { scriptOf } from './page';

/**
 * Redirects an iPad by a script in the page, because only scripts can read the touch points. Safari on an iPad sends the user
 * agent of a Macintosh by default (https://webkit.org/blog/9674/new-webkit-features-in-safari-13/).
 */
export const redirectIpad = scriptOf(`
if (/\\bMacintosh\\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  location.replace(document.currentScript.dataset.value);
`);
