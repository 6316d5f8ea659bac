import type { RulePlatform } from '../../link-paths/rules/rule-values';
import { compareVersions, readVersion } from '../../link-paths/rules/version-range';
import { isOtherDevice } from './device-platform';
import type { Visitor } from './visitor';

/** The operating system of a visitor, as rules of links compare it. */
export interface System {
  platform: RulePlatform;
  /** Known for iOS, iPadOS and Android alone, because browsers freeze the version of other systems. */
  version: readonly number[] | null;
}

/** Returns the system of a visitor by the headers by which it was classified. */
export function systemOf(
  { platform, macintosh }: Pick<Visitor, 'platform' | 'macintosh'>,
  userAgent: string,
  clientHint: string,
): System {
  if (platform === 'ios' && macintosh) return { platform: 'ipados', version: null };
  const sent = userAgent.slice(0, 1024);
  if (platform === 'ios') return { platform: sent.includes('iPad') ? 'ipados' : 'ios', version: iosVersionOf(sent) };
  if (platform === 'android') return { platform: 'android', version: androidVersionOf(sent) };
  const hint = clientHint.slice(0, 64).replaceAll('"', '').trim().toLowerCase();
  return { platform: desktopOf(hint, sent), version: null };
}

const hints: Readonly<Record<string, RulePlatform>> = {
  windows: 'windows',
  macos: 'macos',
  linux: 'linux',
  chromeos: 'chromeos',
  'chrome os': 'chromeos',
  'chromium os': 'chromeos',
};

function desktopOf(hint: string, userAgent: string): RulePlatform {
  if (isOtherDevice(userAgent) || userAgent.includes('Windows Phone')) return 'other';
  if (hint !== '' && hint !== 'unknown') return hints[hint] ?? 'other';
  if (userAgent.includes('Windows NT')) return 'windows';
  if (/\bCrOS\b/.test(userAgent)) return 'chromeos';
  if (userAgent.includes('Macintosh')) return userAgent.includes('iPad') ? 'ipados' : 'macos';
  return /^[^(]*\([^)]*\bLinux\b/.test(userAgent) ? 'linux' : 'other';
}

/** Returns the version of the system, or that of Safari if it is higher, because Safari 26 and later freeze the former. */
function iosVersionOf(userAgent: string): readonly number[] | null {
  const system = /\bOS ([0-9]{1,3}(?:_[0-9]{1,3}){0,2})\b/.exec(userAgent)?.[1]?.replaceAll('_', '.') ?? null;
  const safari = /\bVersion\/([0-9]{1,3}(?:\.[0-9]{1,3}){0,2})\b/.exec(userAgent)?.[1] ?? null;
  const [ofSystem, ofSafari] = [readVersion(system), readVersion(safari)];
  return ofSafari !== null && ofSystem !== null && compareVersions(ofSafari, ofSystem, 0) > 0 ? ofSafari : ofSystem;
}

/** Returns null for `Android 10; K`, because Chrome hides the version behind it. */
const androidVersionOf = (userAgent: string): readonly number[] | null =>
  /\bAndroid 10; K\)/.test(userAgent)
    ? null
    : readVersion(/\bAndroid ([0-9]{1,3}(?:\.[0-9]{1,3}){0,2})\b/.exec(userAgent)?.[1] ?? null);
