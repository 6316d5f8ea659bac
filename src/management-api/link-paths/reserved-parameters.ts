/**
 * Parameters that this service adds to link URLs itself. They say how a visitor got here, are taken off again, and reach no
 * destination.
 */
export const reservedParameters = {
  /**
   * `page`: from one of our own pages, to go on. `ipad`: a page found out that the Macintosh is an iPad. `ipad-page`: both,
   * since its headers say Macintosh on every page. `qr`: from the link's QR code.
   */
  via: '_via',
  /** The single-use token of a deferred deep link, for the app. */
  token: 'deferred_link',
};

/** The URL with one of our own parameters. */
export const marked = (url: string, name: keyof typeof reservedParameters, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${reservedParameters[name]}=${value}`;

/** What the link's QR code says, so that scans are told from taps. */
export const inQrCode = (url: string): string => marked(url, 'via', 'qr');
