export type Answer = InAppBrowserPage | RegularAnswer | { kind: 'preview' } | { kind: 'disabled' };

/** A page that offers to open the app, because links do not open apps inside an in-app browser. */
export interface InAppBrowserPage {
  kind: 'in-app-browser';
  app: { platform: 'ios'; name: string } | { platform: 'android'; name: string; packageName: string };
  /** The answer behind the button "Continue". */
  fallback: RegularAnswer;
}

/** An answer that leads to a variant has its name. */
export type RegularAnswer = { variant?: string } &
  /** The visit gets a click id in the parameter `clickIdParam` if there is one. */
  (
    | { kind: 'redirect'; location: string; clickIdParam?: string }
    /**
     * A redirect to the page of the link's app in the Play Store, or in AppGallery, which reads a `referrer` too. It still needs the
     * parameters and the token of the deferred link.
     */
    | { kind: 'play-store'; page: string }
    /** A page that copies the link to the clipboard for the app that the visitor installs next. */
    | { kind: 'get-the-app'; appName: string; storeUrl: string }
    | OtherSchemePage
    | { kind: 'landing' }
  );

/** A page with a button, because browsers do not reliably follow redirects to other schemes than http and https. */
export interface OtherSchemePage {
  kind: 'other-scheme';
  destination: string;
}
