import type { AppInfo, LinkSource } from './options.js';

/** `Linking` of React Native and of Expo. */
interface Linking {
  getInitialURL(): Promise<string | null | undefined>;
  addEventListener(type: 'url', listener: (event: { url: string }) => void): { remove(): void };
}

export const linksOf = (linking: Linking): LinkSource => ({
  getInitialURL: () => linking.getInitialURL(),
  subscribe(listener) {
    const subscription = linking.addEventListener('url', ({ url }) => listener(url));
    return () => subscription.remove();
  },
});

export const onlyOn = <T>(system: 'android' | 'ios', current: string, value: T): T | undefined =>
  system === current ? value : undefined;

/** Returns null if the id is unknown, for example on the web. Then opens are not counted. */
export function appInfo(
  system: string,
  id: string | null,
  version: string | null,
  build: string | null,
): AppInfo | null {
  if (!id || (system !== 'ios' && system !== 'android')) return null;
  const versions = { version: version || '0', ...(build ? { build } : {}) };
  return system === 'ios' ? { bundleId: id, ...versions } : { packageName: id, ...versions };
}
