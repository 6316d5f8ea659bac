import type { AppPlatform } from '../../links/apps/app';
import type { DroppedEscape } from '../../link-routing/escapes/escape-choice';
import { healthProblem, type HealthProblem } from './health-problem';

const systems = { ios: 'iOS', android: 'Android' };

/** Versions that a message names at most. */
const maxNamed = 5;

/** Reports dropped ways out of in-app browsers, once for each app and way, on the platforms of the project's apps. */
export function escapeProblems(dropped: readonly DroppedEscape[], platforms: readonly AppPlatform[]): HealthProblem[] {
  return groupedByWay(dropped.filter(({ platform }) => platforms.includes(platform))).map((versions) => {
    const [{ app, platform, way, preferred }] = versions;
    const named = versions.slice(0, maxNamed).map(versionText).join(', ');
    const more = versions.length > maxNamed ? ` and ${versions.length - maxNamed} other versions` : '';
    const instead = preferred === way ? 'No better way is known.' : `Most visitors get ${preferred} instead.`;
    const message = `Hardly anyone leaves the browser of ${app} by ${way}: ${named}${more}. ${instead}`;
    return healthProblem('browser_escape_dropped', message, { platform });
  });
}

/** Returns the versions of each app, platform and way, those with the most visitors first, and all versions together last. */
export function groupedByWay(dropped: readonly DroppedEscape[]): [DroppedEscape, ...DroppedEscape[]][] {
  const ways = new Map<string, [DroppedEscape, ...DroppedEscape[]]>();
  for (const one of dropped.toSorted(bySize)) {
    const key = `${one.app} ${one.platform} ${one.way}`;
    const known = ways.get(key);
    if (known) known.push(one);
    else ways.set(key, [one]);
  }
  return [...ways.values()];
}

const isOfAll = ({ version, system }: DroppedEscape): boolean => version === 0 && system === 0;

const bySize = (a: DroppedEscape, b: DroppedEscape): number =>
  Number(isOfAll(a)) - Number(isOfAll(b)) || b.sinceArrival - a.sinceArrival;

function versionText(one: DroppedEscape): string {
  const { platform, version, system, sinceArrival } = one;
  const of = isOfAll(one) ? 'all versions' : `version ${version || '?'} on ${systems[platform]} ${system || '?'}`;
  return `${of} (${sinceArrival} offers since the last arrival)`;
}
