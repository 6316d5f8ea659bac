import { App } from '@capacitor/app';
import { Clipboard } from '@capacitor/clipboard';
import type { LinkSource, Platform } from './options.js';
import { appInfo, onlyOn } from './native-platform.js';

const links: LinkSource = {
  getInitialURL: async () => (await App.getLaunchUrl())?.url ?? null,
  subscribe(listener) {
    const handle = App.addListener('appUrlOpen', ({ url }) => listener(url));
    return () => void handle.then((one) => one.remove());
  },
};

/**
 * Returns the platform of a Capacitor app: `createSignpost({ ...(await capacitor({ … })), hosts, storage })`.
 * @param options.system `Capacitor.getPlatform()`
 * @param options.hasUrl asks iOS whether the clipboard probably holds a web URL. Capacitor has no such call, so without one of the app's
 * plugins the clipboard is never read, and a person pastes into a text field.
 * @param options.referrer reads the install referrer, for which Capacitor has no plugin either
 */
export async function capacitor(options: {
  system: string;
  hasUrl?: () => Promise<boolean>;
  referrer?: () => Promise<string | null>;
}): Promise<Platform> {
  const { system, hasUrl, referrer } = options;
  // On the web this call is refused.
  const info = system === 'web' ? null : await App.getInfo();
  return {
    app: info && appInfo(system, info.id, info.version, info.build),
    links,
    referrer: onlyOn('android', system, referrer),
    clipboard: hasUrl && onlyOn('ios', system, { hasUrl, read: async () => (await Clipboard.read()).value }),
  };
}
