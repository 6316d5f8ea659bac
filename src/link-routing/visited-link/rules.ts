import { addressGroups, containsAddress, networkOf } from '../../shared/ip-network';
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

export type Test = (facts: RuleFacts) => boolean;

export interface CompiledCondition {
  name: ConditionName;
  holds: Test;
}

/** Compiles the conditions of a rule, so that a visit compares values alone. */
export const compileConditions = (when: When): CompiledCondition[] =>
  (Object.keys(when) as ConditionName[]).map((name) => ({ name, holds: compile[name](when[name] as never) }));

const compile: { [N in ConditionName]: (expected: NonNullable<When[N]>) => Test } = {
  platforms: (platforms) => {
    const set = new Set(platforms);
    return (facts) => set.has(facts.system.platform);
  },
  os_version: (range) => {
    const isWithin = rangeTest(range);
    return (facts) => isWithin(facts.system.version);
  },
  browsers: (browsers) => {
    const set = new Set<string>(browsers);
    return (facts) => facts.browser !== null && set.has(facts.browser);
  },
  countries: (countries) => {
    const set = new Set(countries);
    return (facts) => facts.country !== null && set.has(facts.country);
  },
  // Basic filtering (RFC 4647, section 3.3.1).
  languages: (languages) => {
    const ranges = languages.map((language) => language.toLowerCase());
    return ({ language }) =>
      language !== null && ranges.some((range) => language === range || language.startsWith(`${range}-`));
  },
  from: (from) => {
    const start = Date.parse(from);
    return (facts) => facts.at >= start;
  },
  until: (until) => {
    const end = Date.parse(until);
    return (facts) => facts.at < end;
  },
  query: (expected) => {
    const pairs = Object.entries(expected);
    return ({ query }) => {
      if (query === '') return false;
      const sent = query.split('&').filter(Boolean);
      return pairs.every(([name, value]) =>
        sent.some((pair) => parameterNameOf(pair) === name && (value === null || valueOf(pair) === value)),
      );
    };
  },
  referring_hosts: (hosts) => {
    const exact = new Set(hosts);
    const endings = hosts.filter((host) => host.startsWith('*.')).map((host) => host.slice(1));
    return ({ referringHost: host }) =>
      host !== null && (exact.has(host) || endings.some((ending) => host.endsWith(ending)));
  },
  networks: (networks) => {
    const list = networks.flatMap((network) => networkOf(network) ?? []);
    return ({ address }) => {
      const groups = address === null ? null : addressGroups(address);
      return groups !== null && list.some((network) => containsAddress(network, groups));
    };
  },
  qr: (qr) => (facts) => facts.qr === qr,
  app_version: (range) => {
    const isWithin = rangeTest(range);
    return (facts) => isWithin(readVersion(facts.appVersion));
  },
};

function rangeTest({ min, max }: VersionRange): (version: readonly number[] | null) => boolean {
  const [lowest, highest] = [min === undefined ? null : numbersOf(min), max === undefined ? null : numbersOf(max)];
  return (version) =>
    version !== null &&
    (lowest === null || compareVersions(version, lowest, 0) >= 0) &&
    (highest === null || compareVersions(version, highest, Infinity) <= 0);
}

function valueOf(pair: string): string {
  const sign = pair.indexOf('=');
  return sign < 0 ? '' : decodeName(pair.slice(sign + 1));
}
