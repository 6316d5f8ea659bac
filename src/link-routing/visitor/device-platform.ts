export type Platform = 'ios' | 'android' | 'desktop';

/** Matches one of the names if no letter is beside it, because apps have names like “Riviera” and “Citizen”. */
const anyOf = (names: readonly string[]): RegExp => new RegExp(`(?<![a-z])(?:${names.join('|')})(?![a-z])`, 'i');

/** Devices without apps of iOS and Android: televisions, consoles, watches, headsets, feature phones, HarmonyOS NEXT. */
const otherDevices = anyOf([
  'Xbox',
  'PlayStation',
  'Nintendo',
  'Ouya',
  '(?:Smart|Google|Android|Apple|Fire|Internet|Net|Beyond|Opera|Web|Direct|Hbb|AOSP|UHD|4K)[ _-]?TV',
  'Smart[ _-]?Hub',
  'BRAVIA',
  'AQUOS[ _-]?TV[a-z0-9]*',
  'SHIELD Android',
  'Nexus Player',
  'ADT-[0-9]',
  'Chromecast',
  'CrKey',
  'Roku',
  'VIZIO',
  // Software of Vewd for televisions
  'OMI/',
  'VIDAA',
  // Boxes and sticks
  'Mi ?TV',
  'Mi ?Box',
  '(?:Smart[ _-]?|Android[ _-]?)?TV[ _-]?(?:Box|Stick|Dongle)[a-z]?',
  'Streaming[ _-]?(?:Box|Stick)',
  'Set[ _-]?Top(?:[ _-]?Box)?',
  'STB',
  '(?:MXQ[ _-]?(?:Pro[ _-]?)?)?NEXBOX',
  'MXQ(?:[ _-]?(?:Pro|4K))*',
  'LinkBox',
  'Freebox',
  'GTV[0-9]{2,3}',
  'MK808[a-z]?',
  'NEO[ _-][XU][0-9]',
  'Web0S',
  'webOS(?:TV)?',
  'Tizen',
  'NetCast',
  'Viera',
  'Watch ?OS',
  'Watch',
  'SM-R[0-9]{3}[a-z]{0,2}',
  'OculusBrowser',
  'KAIOS',
  'OpenHarmony',
]);

/** A model with the word “TV”, or that ends with “TV”. Phones can have it too, because some receive television. */
const televisionModel = /^[^(]*\([^)]*(?:(?<![a-z])TV(?![a-z0-9])|TV(?=[;)]| Build\/))/i;

const isTelevision = (userAgent: string): boolean => televisionModel.test(userAgent) && !/\bMobile\b/.test(userAgent);

/** Models of Fire TV, such as AFTMM and AFTJMST12. Case counts, because of names like “Aftonbladet”. */
const fireTv = /\bAFT[A-Z]{1,4}(?:[0-9][0-9A-Z]*)?\b/;

export const isOtherDevice = (userAgent: string): boolean =>
  otherDevices.test(userAgent) || fireTv.test(userAgent) || isTelevision(userAgent);

const windowsPhoneNames = ['Windows Phone', 'IEMobile'];

/** Windows Phone, whose user agent contains `Android` and `iPhone` for compatibility. */
const windowsPhone = anyOf(windowsPhoneNames);

/** Desktop systems, and Windows Phone. */
const otherSystems = anyOf([...windowsPhoneNames, 'Windows NT', 'like iPhone']);

/** ChromeOS. Case counts, because “Crosswalk” and “Microsoft” contain the letters. */
const chromeOs = /\bCrOS\b/;

const iosDevices = /\b(?:iPhone|iPad|iPod)\b/;

/** Browsers of iOS. They decide without `Android` only, because Opera Touch (`OPT/`) exists there too. */
const iosBrowsers = /\b(?:(?:CriOS|FxiOS|EdgiOS|OPiOS|OPT|DuckDuckGo\/[0-9]{1,4} iOS)\/|Puffin\/[0-9.]{1,24}I[PT]\b)/;

/** The system of the user agent is Android. It decides before `iPhone`, because copies of iPhones have that as their model. */
const androidSystem = /^[^(]*\((?:Linux; (?:U; )?)?Android\b/;

const android = /\bAndroid\b/;

const linuxSystem = /^[^(]*\([^)]*\bLinux\b/;

/** Browsers and search apps of Android. They request desktop sites as `X11; Linux`, where no other browser has these names. */
const androidBrowsers = anyOf([
  'SamsungBrowser/',
  'Opera (?:Mobi|Mini|Touch)',
  'OP[TX]/',
  'UC ?Browser',
  'UCWEB',
  'Mi(?:ui|nt) ?Browser/',
  'HuaweiBrowser/',
  'HonorBrowser/',
  'VivoBrowser/',
  'HeyTapBrowser/',
  'O(?:ppo|neplus)Browser/',
  'RealmeBrowser/',
  'MZBrowser/',
  'Silk/',
  'DuckDuckGo/',
  'Ddg/',
  'MQQBrowser',
  'Quark/',
  'baidubox(?:app|lite)/',
  'baidubrowser/',
  'SogouMobileBrowser/',
  '360 Aphone',
  'PHX/',
  'HiBrowser/',
  'EdgA/',
  'GSA/',
  'AlohaBrowser/',
  'EcosiaAndroid',
  'Ecosia android',
  'Puffin/[0-9.]{1,24}A[PT]',
]);

/**
 * Returns whether Opera of Android requests a desktop site. Its version is far behind that of Chrome. Opera of desktops is some 16
 * versions behind.
 */
function isOperaMobile(userAgent: string): boolean {
  const opera = /\bOPR\/([0-9]{1,4})\./.exec(userAgent);
  const chrome = /\bChrome\/([0-9]{1,4})\./.exec(userAgent);
  return opera !== null && chrome !== null && Number(chrome[1]) - Number(opera[1]) > 20;
}

/** Returns whether the user agent has the name of a browser or search app of Android. */
export const namesAndroidBrowser = (userAgent: string): boolean => androidBrowsers.test(userAgent);

const isDesktopModeOfAndroid = (userAgent: string): boolean =>
  linuxSystem.test(userAgent) && (namesAndroidBrowser(userAgent) || isOperaMobile(userAgent));

const androidTokens = /\bFB4A\b|\bSilk\/|\bHarmonyOS\b|\bAdr\b/;

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
 * the user agent. Exceptions are televisions, Windows Phone and similar devices that report Android, and browsers of Android that
 * report Linux. An iPad that sends the user agent of a Macintosh cannot be detected from headers.
 */
export function platformEvidence(userAgent: string, hint: string): PlatformEvidence {
  if (hint === 'ios') return 'client_hint_ios';
  if (hint === 'android') {
    if (isOtherDevice(userAgent)) return 'screen';
    return windowsPhone.test(userAgent) ? 'desktop_system' : 'client_hint_android';
  }
  if (hint && hint !== 'linux') return 'client_hint_other';
  if (isOtherDevice(userAgent)) return 'screen';
  if (hint) return isDesktopModeOfAndroid(userAgent) ? 'android_device' : 'client_hint_other';
  if (otherSystems.test(userAgent) || chromeOs.test(userAgent)) return 'desktop_system';
  if (androidSystem.test(userAgent)) return 'android_device';
  if (iosDevices.test(userAgent)) return 'ios_device';
  if (android.test(userAgent)) return 'android_device';
  if (isDesktopModeOfAndroid(userAgent)) return 'android_device';
  if (iosBrowsers.test(userAgent)) return 'ios_device';
  if (androidTokens.test(userAgent)) return 'android_device';
  return weakIosTokens.test(userAgent) ? 'ios_words' : 'unknown';
}
