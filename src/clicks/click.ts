/** Milliseconds. Clicks are summed up by quarters of an hour, on which the hours and days of every time zone begin. */
export const quarterHour = 15 * 60_000;

/** What made a request, as far as clicks are told apart by it. Shared between clicks. */
export interface Client {
  platform: string;
  /** Its family, or the app that it is inside of; null where none is known, and for robots. */
  browser: string | null;
  robot: boolean;
}

/** What was opened: a link by its custom path, or by a short link. Shared between clicks. */
export interface OpenedLink {
  readonly id: string;
  /** The short link that was used; null for the custom path. */
  readonly shortLinkId: string | null;
  /** What made that short link: `dashboard` or `api`. */
  readonly shortLinkSource: string | null;
  /**
   * For ClickBatch alone, which notes here where it has the link: in which of its quarters of an hour, 0 for none, and by what
   * number. Of thousands of links that are opened at random, looking that up in a table would take as long as all the rest.
   */
  notedIn: number;
  notedAs: number;
}

/**
 * A visit of a link that is counted. No address, and no text of the visitor's own: everything here is an id, a word of a closed
 * list, or a host of letters, digits, dots and hyphens.
 */
export interface Click {
  /** Milliseconds since 1970 (UTC). */
  at: number;
  projectId: string;
  link: OpenedLink;
  client: Client;
  /** The host that referred to the link. */
  referrer: string | null;
  /** Two capital letters. */
  country: string | null;
  /** The link's QR code was scanned. */
  qr: boolean;
}
