/**
 * Redirects an iPad. Runs in the page, because Safari on an iPad sends the user agent of a Macintosh by default
 * (https://webkit.org/blog/9674/new-webkit-features-in-safari-13/) and only scripts can read the touch points.
 */
export const redirectIpad = `
if (/\\bMacintosh\\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  location.replace(document.currentScript.dataset.value);
`;
