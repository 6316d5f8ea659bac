// The parts of the platform packages that the adapters use, because the packages are not installed here. The spec of the packed package
// compiles the adapters with the real ones.
declare module 'expo-application' {
  export const applicationId: string | null;
  export const nativeApplicationVersion: string | null;
  export const nativeBuildVersion: string | null;
  export function getInstallReferrerAsync(): Promise<string>;
  export function getInstallationTimeAsync(): Promise<Date>;
}
declare module 'expo-clipboard' {
  export function hasUrlAsync(): Promise<boolean>;
  export function hasStringAsync(): Promise<boolean>;
  export function getStringAsync(): Promise<string>;
  export const isPasteButtonAvailable: boolean;
  export function ClipboardPasteButton(props: {
    onPress: (data: { type: 'text'; text: string } | { type: 'image' }) => void;
    acceptedContentTypes?: ('plain-text' | 'image' | 'url' | 'html')[];
    style?: object;
  }): import('react').ReactElement | null;
}
declare module 'expo-linking' {
  export function getInitialURL(): Promise<string | null>;
  export function addEventListener(type: 'url', handler: (event: { url: string }) => void): { remove(): void };
}
declare module 'react-native' {
  export const Platform: { OS: string };
  export const Linking: typeof import('expo-linking');
}
declare module 'react-native-play-install-referrer' {
  export const PlayInstallReferrer: {
    getInstallReferrerInfo(
      callback: (info: { installReferrer: string | null } | null, error: { responseCode?: number } | null) => void,
    ): void;
  };
}
declare module '@react-native-clipboard/clipboard' {
  const Clipboard: { getString(): Promise<string>; hasWebURL(): Promise<boolean> | undefined };
  export default Clipboard;
}
declare module '@capacitor/app' {
  export const App: {
    getInfo(): Promise<{ id: string; version: string; build: string }>;
    getLaunchUrl(): Promise<{ url: string } | undefined>;
    addListener(name: 'appUrlOpen', listener: (event: { url: string }) => void): Promise<{ remove(): Promise<void> }>;
  };
}
declare module '@capacitor/clipboard' {
  export const Clipboard: { read(): Promise<{ value: string }> };
}
declare module 'expo/config' {
  export interface ExpoConfig {
    name: string;
    slug: string;
    ios?: {
      associatedDomains?: string[];
      privacyManifests?: {
        NSPrivacyAccessedAPITypes?: { NSPrivacyAccessedAPIType: string; NSPrivacyAccessedAPITypeReasons: string[] }[];
      };
    };
    android?: {
      intentFilters?: {
        action: string;
        autoVerify?: boolean;
        category?: string | string[];
        data?: { scheme?: string; host?: string } | { scheme?: string; host?: string }[];
      }[];
    };
  }
}
