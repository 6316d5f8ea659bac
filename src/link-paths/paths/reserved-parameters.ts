/** Parameters that this service adds to link URLs, and removes before it redirects. */
export const reservedParameters = {
  /**
   * The origin of a visit. `page`: a page of this service. `ipad`: a page detected an iPad that sends the headers of a Mac.
   * `ipad-page`: both. `browser-page`: a page of this service in an in-app browser, which the visitor left.
   * `ipad-browser-page`: the same on such an iPad. `open`: a page of this service, to open the app. `ipad-open`: the same on such
   * an iPad. `qr`: the link's QR code. `test` and `ipad-test`: the visitor asks for the page that says why no app opened. Those of a
   * browser may have a marker behind `~`.
   */
  via: '_via',
  /** The single-use token of a deferred deep link, for the app. */
  token: 'deferred_link',
};

export const withReservedParameter = (url: string, name: keyof typeof reservedParameters, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${reservedParameters[name]}=${value}`;

/** Returns the URL in the link's QR code, so that statistics distinguish scans from clicks. */
export const qrCodeUrl = (url: string): string => withReservedParameter(url, 'via', 'qr');
