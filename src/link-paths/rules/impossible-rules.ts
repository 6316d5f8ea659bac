import { containsAddress, networkOf } from '../../shared/ip-network';
import type { ConditionName, When } from './rule-values';
import { isRangeWithin } from './version-range';

const withVersions: readonly string[] = ['ios', 'ipados', 'android'];

/** Conditions that an app's request, which alone has a version of the app, never fulfils. */
const ofVisits = ['os_version', 'browsers', 'referring_hosts'] as const;

/**
 * Returns why no visitor can match a rule; null if one may.
 * @param earlier the conditions of the rules before it
 */
export function impossibilityOf(when: When, earlier: readonly When[]): string | null {
  const { from, until, platforms, os_version, app_version } = when;
  if (from !== undefined && until !== undefined && from >= until) return 'because until is not after from';
  const isPhone = platforms === undefined || platforms.some((platform) => withVersions.includes(platform));
  if (os_version && !isPhone) return 'because the service knows versions of ios, ipados and android only';
  if (app_version) {
    if (!isPhone) return 'because only apps of ios, ipados and android have an app_version';
    const other = ofVisits.find((name) => when[name] !== undefined);
    if (other) return `because the request of an app has an app_version, and only a visit has what ${other} compares`;
  }
  const covering = earlier.findIndex((one) => covers(one, when));
  return covering < 0 ? null : `because rules.${covering} matches all of its visitors before it`;
}

type Comparison<N extends ConditionName> = (outer: NonNullable<When[N]>, inner: NonNullable<When[N]>) => boolean;

const isSubset = (outer: readonly string[], inner: readonly string[]): boolean =>
  inner.every((one) => outer.includes(one));

/** Tells whether the condition `inner` implies `outer`. */
const implications: { [N in ConditionName]: Comparison<N> } = {
  platforms: isSubset,
  browsers: isSubset,
  countries: isSubset,
  os_version: (outer, inner) => isRangeWithin(inner, outer),
  app_version: (outer, inner) => isRangeWithin(inner, outer),
  languages: (outer, inner) => inner.every((one) => outer.some((range) => `${one}-`.startsWith(`${range}-`))),
  from: (outer, inner) => inner >= outer,
  until: (outer, inner) => inner <= outer,
  query: (outer, inner) =>
    Object.entries(outer).every(
      ([name, value]) => Object.hasOwn(inner, name) && (value === null || inner[name] === value),
    ),
  referring_hosts: (outer, inner) =>
    inner.every((one) => outer.some((host) => host === one || (host.startsWith('*.') && one.endsWith(host.slice(1))))),
  networks: (outer, inner) => inner.every((one) => outer.some((network) => isNetworkWithin(one, network))),
  qr: (outer, inner) => outer === inner,
};

/** Returns whether each visitor that matches `inner` matches `outer`. */
function covers(outer: When, inner: When): boolean {
  return (Object.keys(outer) as ConditionName[]).every((name) => {
    const [one, other] = [outer[name], inner[name]];
    return other !== undefined && (implications[name] as Comparison<never>)(one as never, other as never);
  });
}

function isNetworkWithin(inner: string, outer: string): boolean {
  const [within, around] = [networkOf(inner)!, networkOf(outer)!];
  return within.prefix >= around.prefix && containsAddress(around, within.groups);
}
