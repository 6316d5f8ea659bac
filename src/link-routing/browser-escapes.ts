export type BrowserEscape = 'x_safari' | 'intent' | 'instagram';

interface EscapeRow {
  /** A name of `in-app-browsers.ts`. */
  app: string;
  platform: 'ios' | 'android';
  /** The first major version of the app on which it works; undefined for all. */
  from?: number;
  /** The first major version of the app on which it no longer works. */
  until?: number;
  escape: BrowserEscape;
  /** The day or month of the last report that it works. */
  checked: string;
  source: string;
}

const iosTable = 'https://github.com/shalanah/inapp-debugger#ios';
const androidTable = 'https://github.com/shalanah/inapp-debugger#android';
const instagram = 'https://github.com/shalanah/inapp-debugger/pull/23';

/**
 * Addresses with which a tap leaves an in-app browser. Apple documents none, and apps change them, so each row names its report.
 * An app without a row gets no button: WeChat and Snapchat are reported to block all of them, and about others nothing is known.
 */
export const browserEscapes: readonly EscapeRow[] = [
  { app: 'Instagram', platform: 'ios', from: 445, escape: 'instagram', checked: '2026-09-10', source: instagram },
  // Instagram 424 stopped it (https://github.com/shalanah/inapp-debugger/issues/22).
  { app: 'Instagram', platform: 'ios', until: 424, escape: 'x_safari', checked: '2024-10-16', source: iosTable },
  { app: 'Instagram', platform: 'android', from: 445, escape: 'instagram', checked: '2026-09-10', source: instagram },
  { app: 'Instagram', platform: 'android', until: 424, escape: 'intent', checked: '2024-11-03', source: androidTable },
  { app: 'Facebook', platform: 'ios', escape: 'x_safari', checked: '2024-10-16', source: iosTable },
  { app: 'Facebook', platform: 'android', escape: 'intent', checked: '2024-11-03', source: androidTable },
  { app: 'Messenger', platform: 'ios', escape: 'x_safari', checked: '2024-10-16', source: iosTable },
  { app: 'Threads', platform: 'ios', escape: 'x_safari', checked: '2024-10-16', source: iosTable },
  { app: 'TikTok', platform: 'ios', escape: 'x_safari', checked: '2024-10-16', source: iosTable },
  { app: 'LinkedIn', platform: 'ios', escape: 'x_safari', checked: '2024-10-16', source: iosTable },
  { app: 'X', platform: 'ios', escape: 'x_safari', checked: '2024-10-16', source: iosTable },
  { app: 'Telegram', platform: 'ios', escape: 'x_safari', checked: '2024-10-16', source: iosTable },
  { app: 'Telegram', platform: 'android', escape: 'intent', checked: '2024-11-03', source: androidTable },
  { app: 'Line', platform: 'ios', escape: 'x_safari', checked: '2024-10-16', source: iosTable },
  { app: 'Line', platform: 'android', escape: 'intent', checked: '2024-11-03', source: androidTable },
];

/** Safari answers `x-safari-https:` since this version of iOS (https://github.com/shalanah/inapp-debugger/pull/5). */
const firstIosOfSafariScheme = 17;

/** Returns the way out of the app's browser; null if none is known for this version. */
export function browserEscapeOf(app: string, platform: 'ios' | 'android', userAgent: string): BrowserEscape | null {
  const version = majorVersionOf(app, userAgent);
  const row = browserEscapes.find(
    (one) =>
      one.app === app &&
      one.platform === platform &&
      (one.from === undefined || (version !== null && version >= one.from)) &&
      (one.until === undefined || (version !== null && version < one.until)),
  );
  if (!row) return null;
  return row.escape === 'x_safari' && iosVersionOf(userAgent) < firstIosOfSafariScheme ? null : row.escape;
}

/** Returns the major version of Instagram, the only app whose rows depend on one; null if it is not stated. */
function majorVersionOf(app: string, userAgent: string): number | null {
  const version = app === 'Instagram' ? /\bInstagram ([0-9]{1,5})\./.exec(userAgent)?.[1] : undefined;
  return version === undefined ? null : Number(version);
}

const iosVersionOf = (userAgent: string): number => Number(/\bOS ([0-9]{1,3})_/.exec(userAgent)?.[1] ?? 0);

/** Returns the address that opens an http or https URL in the browser of the device. */
export function escapeUrl(escape: BrowserEscape, url: string): string {
  switch (escape) {
    case 'x_safari':
      return `x-safari-${url}`;
    case 'instagram':
      return `instagram://extbrowser/?url=${encodeURIComponent(url)}`;
    case 'intent': {
      const { protocol } = new URL(url);
      return `intent:${url.slice(protocol.length)}#Intent;scheme=${protocol.slice(0, -1)};end`;
    }
  }
}
