import * as Application from 'expo-application';
import * as Clipboard from 'expo-clipboard';
import * as Linking from 'expo-linking';
import { createElement, type ReactElement } from 'react';
import { Platform as System } from 'react-native';
import type { DeferredResult, Signpost } from './create-signpost.js';
import { appInfo, linksOf, onlyOn } from './native-platform.js';
import type { Platform } from './options.js';

/** Returns the platform of an Expo app: `createSignpost({ ...expo(), hosts, storage })`. */
export function expo(): Platform {
  const { applicationId, nativeApplicationVersion, nativeBuildVersion } = Application;
  return {
    app: appInfo(System.OS, applicationId, nativeApplicationVersion, nativeBuildVersion),
    links: linksOf(Linking),
    referrer: onlyOn('android', System.OS, () => Application.getInstallReferrerAsync()),
    clipboard: onlyOn('ios', System.OS, {
      hasUrl: () => Clipboard.hasUrlAsync(),
      // Expo reports copied URLs, not copied text that is a URL. Apple's button reads both without a question.
      hasText: async () => Clipboard.isPasteButtonAvailable && (await Clipboard.hasStringAsync()),
      read: () => Clipboard.getStringAsync(),
    }),
    installedAt: async () => (await Application.getInstallationTimeAsync()).getTime(),
  };
}

export interface PasteButtonProps {
  signpost: Signpost;
  /** Receives the status after the paste. */
  onResult?: (result: DeferredResult) => void;
  backgroundColor?: string;
  foregroundColor?: string;
  style?: { width?: number; height?: number; alignSelf?: 'center' | 'flex-start' | 'flex-end' | 'stretch' };
}

/** Renders Apple's paste control, which shows no question. Renders nothing where the system has none (Android, iOS 15). */
export function PasteButton({ signpost, onResult, style, ...colors }: PasteButtonProps): ReactElement | null {
  if (!Clipboard.isPasteButtonAvailable) return null;
  return createElement(Clipboard.ClipboardPasteButton, {
    ...colors,
    style: { width: 200, height: 44, ...style },
    acceptedContentTypes: ['url', 'plain-text'],
    onPress: (pasted) => {
      if (pasted.type === 'text') void signpost.paste(pasted.text).then(onResult);
    },
  });
}
