import Clipboard from '@react-native-clipboard/clipboard';
import { Linking, Platform as System } from 'react-native';
import { PlayInstallReferrer } from 'react-native-play-install-referrer';
import { appInfo, linksOf, onlyOn } from './native-platform.js';
import type { Platform } from './options.js';

/** Response codes of the Play Install Referrer library with which a retry cannot succeed: not supported, developer error. */
const finalCodes = [2, 3];

const installReferrer = (): Promise<string | null> =>
  new Promise((resolve) => {
    PlayInstallReferrer.getInstallReferrerInfo((info, error) => {
      const isFinal = finalCodes.includes(error?.responseCode ?? 0);
      resolve(isFinal ? '' : (info?.installReferrer ?? null));
    });
  });

/**
 * Returns the platform of a bare React Native app: `createSignpost({ ...reactNative({ id, version }), hosts, storage })`.
 * @param app id and version, because React Native itself does not know them
 */
export const reactNative = (app: { id: string; version: string; build?: string }): Platform => ({
  app: appInfo(System.OS, app.id, app.version, app.build ?? null),
  links: linksOf(Linking),
  referrer: onlyOn('android', System.OS, installReferrer),
  clipboard: onlyOn('ios', System.OS, {
    // Examines copied text as well as copied URLs, without a notice.
    hasUrl: async () => (await Clipboard.hasWebURL()) ?? false,
    read: () => Clipboard.getString(),
  }),
});
