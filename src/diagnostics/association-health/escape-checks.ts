import type { AppPlatform } from '../../links/apps/app';
import type { DroppedEscape } from '../../link-routing/escape-choice';
import { healthProblem, type HealthProblem } from './health-problem';

const systems = { ios: 'iOS', android: 'Android' };

/** Versions that a message names at most. */
const maxNamed = 5;

/** Reports dropped ways out of in-app browsers, once for each app and way, on the platforms of the project's apps. */
export function escapeProblems(dropped: readonly DroppedEscape[], platforms: readonly AppPlatform[]): HealthProblem[] {
  const ways = new Map<string, DroppedEscape[]>();
  for (const one of dropped.filter(({ platform }) => platforms.includes(platform))) {
    const key = `${one.app} ${one.platform} ${one.way}`;
    ways.set(key, [...(ways.get(key) ?? []), one]);
  }
  return [...ways.values()].map((versions) => {
    const [{ app, platform, way, preferred }] = versions as [DroppedEscape, ...DroppedEscape[]];
    const named = versions.slice(0, maxNamed).map(versionText).join(', ');
    const more = versions.length > maxNamed ? ` and ${versions.length - maxNamed} other versions` : '';
    const instead = preferred === way ? 'No better way is known.' : `Most visitors get ${preferred} instead.`;
    const message = `Hardly anyone leaves the browser of ${app} by ${way}: ${named}${more}. ${instead}`;
    return healthProblem('browser_escape_dropped', message, { platform });
  });
}

function versionText({ platform, version, system, sinceArrival }: DroppedEscape): string {
  const all = version === 0 && system === 0;
  const of = all ? 'all versions' : `version ${version || '?'} on ${systems[platform]} ${system || '?'}`;
  return `${of} (${sinceArrival} offers since the last arrival)`;
}
