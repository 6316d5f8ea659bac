import type { AppBuild } from './app-build-record.js';

/** Returns the host of an associated domain such as `applinks:go.example.com?mode=developer`; nothing for other services. */
export function hostOfDomain(domain: string): string[] {
  const [, host] = /^applinks:([^?]+)/.exec(domain.trim()) ?? [];
  return host === undefined ? [] : [host.toLowerCase()];
}

/** Reads an XML property list: entitlements, or `Info.plist`. */
export function buildOfPlist(text: string): AppBuild[] {
  const [, list = ''] = text.split(/<key>com\.apple\.developer\.associated-domains<\/key>\s*<array>/, 2);
  const [domains = ''] = list.split('</array>', 1);
  return [
    {
      platform: 'ios',
      version: valueOf(text, 'CFBundleShortVersionString'),
      identifier: valueOf(text, 'CFBundleIdentifier'),
      hosts: [...domains.matchAll(/<string>([^<]*)<\/string>/g)].flatMap(([, domain]) => hostOfDomain(domain!)),
      paths: null,
    },
  ];
}

/** Returns the name of the program, which is signed with the entitlements; null without one. */
export const programOf = (plist: string): string | null => valueOf(plist, 'CFBundleExecutable');

/** Returns the text of a key; null without one, and for a variable of Xcode. */
const valueOf = (plist: string, key: string): string | null =>
  new RegExp(`<key>${key}</key>\\s*<string>([^<$]*)</string>`).exec(plist)?.[1]?.trim() || null;
