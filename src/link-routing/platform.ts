/** The kinds of device that a link tells apart. */
export type Platform = 'ios' | 'android' | 'desktop';

/** Screens that nobody installs a phone's app on: televisions, consoles, watches, headsets, phones with buttons. */
const screens =
  /Xbox|PlayStation|Nintendo|Smart-?TV|Google ?TV|Android TV|Apple ?TV|BRAVIA|\bAFT[A-Z]|CrKey|Roku|Web0S|webOS|Tizen|HbbTV|NetCast|Viera|Watch ?OS|\bWatch\b|\bSM-R[0-9]{3}|OculusBrowser|KAIOS/i;

/** Desktop systems, and Windows Phone, which named Android and the iPhone to be served as they were. */
const otherSystems = /Windows Phone|IEMobile|Windows NT|CrOS|like iPhone/i;

const ios = /\b(?:iPhone|iPad|iPod)\b|\b(?:CriOS|FxiOS|EdgiOS|OPiOS|OPT|DuckDuckGo\/[0-9]{1,4} iOS)\//;

const android = /\bAndroid\b|\bFB4A\b|\bSilk\/|HarmonyOS|OpenHarmony|\bAdr\b/;

/** Seen on Android too, or in other words; they count where nothing else does. The Google app is no Mac program. */
const weakIos = /\biOS\b|\bFBIOS\b|\bGSA\//;

/** What tells the platform, and which. */
export const platformBy = {
  client_hint_ios: 'ios',
  client_hint_android: 'android',
  client_hint_other: 'desktop',
  screen: 'desktop',
  desktop_system: 'desktop',
  ios_device: 'ios',
  android_device: 'android',
  ios_words: 'ios',
  unknown: 'desktop',
} as const satisfies Record<string, Platform>;

export type PlatformEvidence = keyof typeof platformBy;

/**
 * The platform that the browser states (`Sec-CH-UA-Platform`, WICG User-Agent Client Hints) goes before the user agent, but
 * for screens that state Android and are no phone. An iPad that calls itself a Macintosh cannot be told from one here.
 */
export function evidenceIn(userAgent: string, hint: string): PlatformEvidence {
  if (hint === 'ios') return 'client_hint_ios';
  if (hint === 'android') return screens.test(userAgent) ? 'screen' : 'client_hint_android';
  if (hint) return 'client_hint_other';
  if (screens.test(userAgent)) return 'screen';
  if (otherSystems.test(userAgent)) return 'desktop_system';
  if (ios.test(userAgent)) return 'ios_device';
  if (android.test(userAgent)) return 'android_device';
  return weakIos.test(userAgent) ? 'ios_words' : 'unknown';
}
