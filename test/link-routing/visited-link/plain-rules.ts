import type { RuleFacts } from '../../../src/link-routing/visited-link/rules';
import type { LinkRule } from '../../../src/link-paths/rules/link-rules';
import type { When } from '../../../src/link-paths/rules/rule-values';

// Evaluates rules directly, as docs/rules.md states them, so that compiled rules can be compared with it.

type Range = NonNullable<When['os_version']>;

/** Returns the index of the first rule that matches; null if none does. */
export function plainMatch(rules: readonly LinkRule[], facts: RuleFacts): number | null {
  const at = rules.findIndex(({ when }) => plainUnmet(when, facts).length === 0);
  return at < 0 ? null : at;
}

/** Returns the names of the conditions that do not hold. */
export function plainUnmet(when: When, facts: RuleFacts): string[] {
  const holds = {
    platforms: () => when.platforms!.includes(facts.system.platform),
    os_version: () => isWithin(facts.system.version, when.os_version!),
    browsers: () => (when.browsers as (string | null)[]).includes(facts.browser),
    countries: () => (when.countries as (string | null)[]).includes(facts.country),
    languages: () => when.languages!.some((range) => `${facts.language ?? ''}-`.startsWith(`${range.toLowerCase()}-`)),
    from: () => new Date(facts.at) >= new Date(when.from!),
    until: () => new Date(facts.at) < new Date(when.until!),
    query: () => {
      const sent = new URLSearchParams(facts.query);
      return Object.entries(when.query!).every(([name, value]) =>
        value === null ? sent.has(name) : sent.getAll(name).includes(value),
      );
    },
    referring_hosts: () =>
      when.referring_hosts!.some((host) =>
        host.startsWith('*.') ? facts.referringHost?.endsWith(host.slice(1)) : facts.referringHost === host,
      ),
    networks: () => when.networks!.some((network) => facts.address !== null && hasAddress(network, facts.address)),
    qr: () => when.qr === facts.qr,
    app_version: () => isWithin(facts.appVersion?.split('.').map(Number) ?? null, when.app_version!),
  };
  return (Object.keys(when) as (keyof typeof holds)[]).filter((name) => !holds[name]());
}

/** Compares versions as numbers with three digits for each part. */
function isWithin(version: readonly number[] | null, { min, max }: Range): boolean {
  if (version === null) return false;
  const order = (parts: readonly number[], fill: string) =>
    Array.from({ length: 4 }, (_, at) => (parts[at] === undefined ? fill : String(parts[at]).padStart(5, '0'))).join(
      '.',
    );
  const own = order(version, '00000');
  return (
    (min === undefined || own >= order(min.split('.').map(Number), '00000')) &&
    (max === undefined || own <= order(max.split('.').map(Number), '99999'))
  );
}

/** Compares the bits of IPv4 addresses, which are all that the property has. */
function hasAddress(network: string, address: string): boolean {
  const [base, length = '32'] = network.split('/');
  const bits = (of: string) =>
    of
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  return bits(base!).slice(0, Number(length)) === bits(address).slice(0, Number(length));
}
