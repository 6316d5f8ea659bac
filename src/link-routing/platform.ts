/** The device classes that routing distinguishes. */
export type Platform = 'ios' | 'android' | 'desktop';

/** Devices without phone apps: televisions, consoles, watches, headsets, feature phones. */
const otherDevices =
  /Xbox|PlayStation|Nintendo|Smart-?TV|Google ?TV|Android TV|Apple ?TV|BRAVIA|\bAFT[A-Z]|CrKey|Roku|Web0S|webOS|Tizen|HbbTV|NetCast|Viera|Watch ?OS|\bWatch\b|\bSM-R[0-9]{3}|OculusBrowser|KAIOS/i;

/** Windows Phone, whose user agent contains `Android` and `iPhone` for compatibility. */
const windowsPhone = /Windows Phone|IEMobile/i;

/** Desktop systems, and Windows Phone. */
const otherSystems = new RegExp(`${windowsPhone.source}|Windows NT|like iPhone`, 'i');

/** ChromeOS. Case counts, because “Crosswalk” and “Microsoft” contain the letters. */
const chromeOs = /\bCrOS\b/;

const iosTokens = /\b(?:iPhone|iPad|iPod)\b|\b(?:CriOS|FxiOS|EdgiOS|OPiOS|OPT|DuckDuckGo\/[0-9]{1,4} iOS)\//;

const androidTokens = /\bAndroid\b|\bFB4A\b|\bSilk\/|HarmonyOS|OpenHarmony|\bAdr\b/;

/**
 * Weak evidence, checked last, because these tokens also occur on Android or inside other words. The Google app (`GSA/`) does
 * not exist for macOS.
 */
const weakIosTokens = /\biOS\b|\bFBIOS\b|\bGSA\//;

/** The platform that each kind of evidence implies. */
export const platformByEvidence = {
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

export type PlatformEvidence = keyof typeof platformByEvidence;

/**
 * Returns the strongest evidence of the platform. `Sec-CH-UA-Platform` (WICG User-Agent Client Hints) takes precedence over
 * the user agent, except for televisions, Windows Phone and similar devices that report Android. An iPad that sends the user agent of a
 * Macintosh cannot be detected from headers.
 */
export function platformEvidence(userAgent: string, hint: string): PlatformEvidence {
  if (hint === 'ios') return 'client_hint_ios';
  if (hint === 'android') {
    if (otherDevices.test(userAgent)) return 'screen';
    return windowsPhone.test(userAgent) ? 'desktop_system' : 'client_hint_android';
  }
  if (hint) return 'client_hint_other';
  if (otherDevices.test(userAgent)) return 'screen';
  if (otherSystems.test(userAgent) || chromeOs.test(userAgent)) return 'desktop_system';
  if (iosTokens.test(userAgent)) return 'ios_device';
  if (androidTokens.test(userAgent)) return 'android_device';
  return weakIosTokens.test(userAgent) ? 'ios_words' : 'unknown';
}
