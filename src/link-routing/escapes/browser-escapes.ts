import type { EmbeddedBrowser } from './embedded-browser';

interface EscapeRow {
  /** A name of `in-app-browsers.ts`. */
  app: string;
  platform: 'ios' | 'android';
  /** The first major version of the app on which it works; undefined for all. */
  from?: number | undefined;
  /** The first major version of the app on which it no longer works. */
  until?: number | undefined;
  /** The same of the system. */
  system_from?: number | undefined;
  system_until?: number | undefined;
  way: string;
  /** The day of the last report that it works. */
  checked?: string | undefined;
  source?: string | undefined;
}

export interface EscapeTable {
  /**
   * Addresses by the names of ways. `{url}` is the URL that the browser of the device opens. `{encoded_url}` is the same as a value of a
   * query, and `{scheme}` and `{url_after_scheme}` are its parts.
   */
  ways: Readonly<Record<string, string>>;
  /** Ways of the same app and version compete. The first one is preferred until visits have measured them. */
  rows: readonly EscapeRow[];
}

const iosTable = 'https://github.com/shalanah/inapp-debugger#ios';
const androidTable = 'https://github.com/shalanah/inapp-debugger#android';
const instagram = 'https://github.com/shalanah/inapp-debugger/pull/23';

// Safari answers `x-safari-https:` since iOS 17 (https://github.com/shalanah/inapp-debugger/pull/5).
const safari = {
  platform: 'ios',
  system_from: 17,
  way: 'x_safari',
  checked: '2024-10-16',
  source: iosTable,
} as const;
const intent = { platform: 'android', way: 'intent', checked: '2024-11-03', source: androidTable } as const;
const browserOfInstagram = { from: 445, way: 'instagram', checked: '2026-09-10', source: instagram } as const;

/**
 * Addresses with which a tap leaves an in-app browser. Apple documents none, and apps change them, so each row names its report.
 * An app without a row gets no button: WeChat and Snapchat are reported to block all of them, and about others nothing is known.
 */
export const builtInEscapes: EscapeTable = {
  ways: {
    x_safari: 'x-safari-{url}',
    intent: 'intent:{url_after_scheme}#Intent;scheme={scheme};end',
    instagram: 'instagram://extbrowser/?url={encoded_url}',
  },
  rows: [
    { app: 'Instagram', platform: 'ios', ...browserOfInstagram },
    // Instagram 424 stopped it (https://github.com/shalanah/inapp-debugger/issues/22).
    { app: 'Instagram', until: 424, ...safari },
    { app: 'Instagram', platform: 'android', ...browserOfInstagram },
    { app: 'Instagram', until: 424, ...intent },
    { app: 'Facebook', ...safari },
    { app: 'Facebook', ...intent },
    { app: 'Messenger', ...safari },
    { app: 'Threads', ...safari },
    { app: 'TikTok', ...safari },
    { app: 'LinkedIn', ...safari },
    { app: 'X', ...safari },
    { app: 'Telegram', ...safari },
    { app: 'Telegram', ...intent },
    { app: 'Line', ...safari },
    { app: 'Line', ...intent },
  ],
};

/** Returns the names of the ways out of the browser, in the order of the table. Rows with a range need a known version. */
export function waysOutOf({ rows }: EscapeTable, browser: EmbeddedBrowser): string[] {
  const { app, platform, version, system } = browser;
  const ways = rows
    .filter(
      (row) =>
        row.app === app &&
        row.platform === platform &&
        isWithin(version, row.from, row.until) &&
        isWithin(system, row.system_from, row.system_until),
    )
    .map(({ way }) => way);
  return [...new Set(ways)];
}

const isWithin = (version: number, from: number | undefined, until: number | undefined): boolean =>
  (from === undefined && until === undefined) ||
  (version !== 0 && version >= (from ?? 0) && version < (until ?? Infinity));

/** Returns the address that opens an http or https URL in the browser of the device. */
export function escapeUrl(address: string, url: string): string {
  const colon = url.indexOf(':');
  const parts: Record<string, string> = {
    url,
    encoded_url: encodeURIComponent(url),
    scheme: url.slice(0, colon),
    url_after_scheme: url.slice(colon + 1),
  };
  return address.replace(/\{(\w+)\}/g, (written, name: string) => parts[name] ?? written);
}
