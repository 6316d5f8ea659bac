import { addressGroups, containsAddress, type IpNetwork, networkOf } from '../../shared/ip-network';
import { parameterNameOf, decodeName } from './query-merge';
import type { ConditionName, When } from '../../link-paths/rules/rule-values';
import { compareVersions, numbersOf, readVersion, type VersionRange } from '../../link-paths/rules/version-range';
import type { System } from '../visitor/system';

/** The facts about a visit that rules compare. Values that are expensive are computed when the first condition asks for them. */
export interface RuleFacts {
  readonly system: System;
  readonly browser: string | null;
  readonly country: string | null;
  /** The language tag that the visitor prefers, in lower case; null without one. */
  readonly language: string | null;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly at: number;
  /** The visitor's query without the reserved parameters. */
  readonly query: string;
  readonly referringHost: string | null;
  /** Null unless a trusted proxy states it. */
  readonly address: string | null;
  readonly qr: boolean;
  /** The version that an app states when it asks for the link; null for visits. */
  readonly appVersion: string | null;
}

/** Returns the conditions of a rule that do not hold, by their names. */
export const unmetConditions = (when: When, facts: RuleFacts): ConditionName[] =>
  namesOf(when).filter((name) => !isMet(name, when, facts));

/** Returns whether all conditions of a rule hold. */
export const matches = (when: When, facts: RuleFacts): boolean =>
  namesOf(when).every((name) => isMet(name, when, facts));

const namesOf = (when: When) => Object.keys(when) as ConditionName[];

const isMet = (name: ConditionName, when: When, facts: RuleFacts): boolean => holds[name](when[name] as never, facts);

const holds: { [N in ConditionName]: (expected: NonNullable<When[N]>, facts: RuleFacts) => boolean } = {
  platforms: (platforms, { system }) => platforms.includes(system.platform),
  os_version: (range, { system }) => isWithin(system.version, range),
  browsers: (browsers, { browser }) => browsers.some((one) => one === browser),
  countries: (countries, { country }) => country !== null && countries.includes(country),
  // Basic filtering (RFC 4647, section 3.3.1).
  languages: (languages, { language }) =>
    language !== null && languages.some((range) => `${language}-`.startsWith(`${range.toLowerCase()}-`)),
  from: (from, { at }) => at >= Date.parse(from),
  until: (until, { at }) => at < Date.parse(until),
  query: (expected, { query }) => {
    const sent = query.split('&').filter(Boolean);
    return Object.entries(expected).every(([name, value]) =>
      sent.some((pair) => parameterNameOf(pair) === name && (value === null || valueOf(pair) === value)),
    );
  },
  referring_hosts: (hosts, { referringHost }) =>
    referringHost !== null &&
    hosts.some((host) => (host.startsWith('*.') ? referringHost.endsWith(host.slice(1)) : host === referringHost)),
  networks: (networks, { address }) => {
    const groups = address === null ? null : addressGroups(address);
    return groups !== null && parsed(networks).some((network) => containsAddress(network, groups));
  },
  qr: (expected, { qr }) => qr === expected,
  app_version: (range, { appVersion }) => isWithin(readVersion(appVersion), range),
};

const parsedNetworks = new WeakMap<readonly string[], IpNetwork[]>();

/**
 * Parses the networks of a condition once, because a link can have 400, and link traffic caches it.
 * Measured: 0.6 ms per visit without this.
 */
function parsed(networks: readonly string[]): IpNetwork[] {
  const known = parsedNetworks.get(networks) ?? networks.flatMap((network) => networkOf(network) ?? []);
  parsedNetworks.set(networks, known);
  return known;
}

const isWithin = (version: readonly number[] | null, { min, max }: VersionRange): boolean =>
  version !== null &&
  (min === undefined || compareVersions(version, numbersOf(min), 0) >= 0) &&
  (max === undefined || compareVersions(version, numbersOf(max), Infinity) <= 0);

function valueOf(pair: string): string {
  const sign = pair.indexOf('=');
  return sign < 0 ? '' : decodeName(pair.slice(sign + 1));
}
