/**
 * Runs in the page. Safari on an iPad calls itself Safari on a Macintosh by default
 * (https://webkit.org/blog/9674/new-webkit-features-in-safari-13/); only the page can see that its screen is touched.
 */
export const sendIpadOn = `
if (/\\bMacintosh\\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  location.replace(document.currentScript.dataset.value);
`;
