import type { AppBuild } from './app-build-record.js';

/** Returns the host of an associated domain such as `applinks:go.example.com?mode=developer`; nothing for other services. */
export function hostOfDomain(domain: string): string[] {
  const [, host] = /^applinks:([^?]+)/.exec(domain.trim()) ?? [];
  return host === undefined ? [] : [host.toLowerCase()];
}

/** Reads an XML property list: entitlements, or `Info.plist`. */
export function buildOfPlist(text: string): AppBuild[] {
  const valueOf = (key: string) => {
    const [, value] = new RegExp(`<key>${key}</key>\\s*<string>([^<$]*)</string>`).exec(text) ?? [];
    return value?.trim() || null;
  };
  const [, domains = ''] =
    /<key>com\.apple\.developer\.associated-domains<\/key>\s*<array>([^]*?)<\/array>/.exec(text) ?? [];
  return [
    {
      platform: 'ios',
      version: valueOf('CFBundleShortVersionString'),
      identifier: valueOf('CFBundleIdentifier'),
      hosts: [...domains.matchAll(/<string>([^<]*)<\/string>/g)].flatMap(([, domain]) => hostOfDomain(domain!)),
      paths: null,
    },
  ];
}
