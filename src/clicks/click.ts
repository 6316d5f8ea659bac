/** The resolution of click sums, because the hours and days of every time zone begin on a quarter of an hour. */
export const quarterHourMs = 15 * 60_000;

/** The properties of a client that statistics distinguish. Shared between clicks. */
export interface Client {
  platform: string;
  /** The browser family or the app that contains the browser; null if unknown, and for robots. */
  browser: string | null;
  robot: boolean;
}

/** A link as a visitor opened it, by its custom path or by a short link. Shared between clicks. */
export interface OpenedLink {
  readonly id: string;
  /** Null if the custom path was used. */
  readonly shortLinkId: string | null;
  /** The creator of the short link: `dashboard` or `api`. */
  readonly shortLinkSource: string | null;
  /**
   * The group of clicks that last contained the link, or 0, and the link's number there. Only `ClickBatch` uses them. A table
   * instead would double the cost of a click when thousands of links are opened at random.
   */
  groupSerial: number;
  numberInGroup: number;
}

/**
 * A counted visit of a link. It contains neither an address nor text from the visitor. Each field is an id, a word of a closed
 * list, or a host of letters, digits, dots and hyphens.
 */
export interface Click {
  /** Milliseconds since 1970 (UTC). */
  at: number;
  projectId: string;
  link: OpenedLink;
  client: Client;
  /** The host of the referring page. */
  referrer: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** Whether the link's QR code was scanned. */
  qr: boolean;
}
