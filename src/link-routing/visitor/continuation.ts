/** The state of a visitor whom a page of this service sent on, by the value of `_via`. */
interface Continuation {
  isIpad: boolean;
  /** The page offered the app, so that no second page does. Otherwise pages on two hosts could lead to each other. */
  wasOfferedApp: boolean;
  crossesHosts: boolean;
  /** The visitor left an in-app browser. The app may open now, so it is offered again. */
  leftApp: boolean;
}

const continuations = new Map<string, Continuation>([
  ['page', { isIpad: false, wasOfferedApp: true, crossesHosts: false, leftApp: false }],
  ['ipad-page', { isIpad: true, wasOfferedApp: true, crossesHosts: false, leftApp: false }],
  ['browser-page', { isIpad: false, wasOfferedApp: false, crossesHosts: false, leftApp: true }],
  ['ipad-browser-page', { isIpad: true, wasOfferedApp: false, crossesHosts: false, leftApp: true }],
  ['ipad', { isIpad: true, wasOfferedApp: false, crossesHosts: true, leftApp: false }],
  ['open', { isIpad: false, wasOfferedApp: true, crossesHosts: true, leftApp: false }],
  ['ipad-open', { isIpad: true, wasOfferedApp: true, crossesHosts: true, leftApp: false }],
  // Visits with `test` count nothing, wherever they come from.
  ['ipad-test', { isIpad: true, wasOfferedApp: false, crossesHosts: false, leftApp: false }],
]);

const test = /(?:^|&)_via=(?:ipad-)?test(?:&|$)/;

/** Returns whether the visitor asks for the page of a test, in place of the answer. */
export const isTest = (query: string): boolean => query !== '' && test.test(query);

/**
 * Returns null if the visitor does not come from a page of this service: without `_via`, from a QR code, or with another value. A way out of
 * an app can have a marker (`escape-marker.ts`).
 */
export function continuationOf(via: string | null): Continuation | null {
  if (via === null) return null;
  const [name] = via.split('~', 1);
  const known = continuations.get(name!);
  return known && (known.leftApp || name === via) ? known : null;
}
