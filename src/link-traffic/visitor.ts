/** The kinds of device that a link tells apart. */
export type Platform = 'ios' | 'android' | 'desktop';

/** Phones in name or in disguise that run neither system, and screens that nobody installs a phone's app on. */
const neither =
  /Windows Phone|IEMobile|Windows NT|Xbox|PlayStation|Nintendo|Smart-?TV|GoogleTV|Google TV|Android TV|AppleTV|Apple TV|BRAVIA|\bAFT[A-Z]|CrKey|Roku|Web0S|webOS|Tizen|HbbTV|NetCast|Viera|Watch ?OS|\bWatch\b|\bSM-R[0-9]{3}|KAIOS|CrOS|like iPhone/i;

const ios = /\b(?:iPhone|iPad|iPod)\b|\b(?:CriOS|FxiOS|EdgiOS|OPiOS|OPT|DuckDuckGo\/[0-9]+ iOS)\//;

const android = /\bAndroid\b|\bFB4A\b|\bSilk\/|HarmonyOS|OpenHarmony|\bAdr\b/;

const weakIos = /\biOS\b|\bFBIOS\b|CFNetwork\/.*Mobile/;

/**
 * Which device a request comes from. The platform that the browser states (`Sec-CH-UA-Platform`, WICG User-Agent Client
 * Hints) goes before the user agent, but for screens that state Android and are no phone. An iPad that calls itself a
 * Macintosh cannot be told from one here.
 */
export function platformOf(headers: { userAgent: string | undefined; clientHint: string | undefined }): Platform {
  const userAgent = headers.userAgent ?? '';
  const stated = headers.clientHint?.replaceAll('"', '').trim().toLowerCase();
  if (stated === 'ios') return 'ios';
  if (stated === 'android') return neither.test(userAgent) ? 'desktop' : 'android';
  if (stated && stated !== 'unknown') return 'desktop';
  if (neither.test(userAgent)) return 'desktop';
  if (ios.test(userAgent)) return 'ios';
  if (android.test(userAgent)) return 'android';
  return weakIos.test(userAgent) ? 'ios' : 'desktop';
}
