import { linkRules } from '../../link-paths/rules/link-rules';
import { rulePlatforms } from '../../link-paths/rules/rule-values';
import { browserNames } from '../../shared/browser-names';
import { dateTime } from '../../shared/date-time';
import type * as to from './field-readers';
import type { UrlTarget } from './link-draft';
import { isObject } from '../../shared/is-object';
import { parseJson } from './source-cells';

const phones = ['ios', 'ipados', 'android'] as const;

/** The platforms of Shlink's devices. */
const devices: Readonly<Record<string, readonly string[]>> = {
  ios: ['ios', 'ipados'],
  android: ['android'],
  mobile: phones,
  desktop: rulePlatforms.filter((platform) => !phones.some((phone) => phone === platform)),
  windows: ['windows'],
  macos: ['macos'],
  linux: ['linux'],
  chromeos: ['chromeos'],
};

type Values = Record<string, unknown>;
/** Returns the condition of a rule; null if Signpost has none. */
type Mapping = (value: string, key: string) => Values | null;

const mappings: Readonly<Record<string, Mapping>> = {
  device: (value) => ofOne('platforms', devices[value.toLowerCase()]),
  browser: (value) =>
    ofOne(
      'browsers',
      browserNames.filter((name) => name.toLowerCase() === value.toLowerCase()),
    ),
  language: (value) => ({ languages: [value.replaceAll('_', '-')] }),
  'query-param': (value, key) => ({ query: { [key]: value } }),
  'any-value-query-param': (_, key) => ({ query: { [key]: null } }),
  'valueless-query-param': (_, key) => ({ query: { [key]: '' } }),
  'ip-address': (value) => ({ networks: [networkOf(value)] }),
  'geolocation-country-code': (value) => ({ countries: [value] }),
  'before-date': (value) => ofTime('until', value),
  'after-date': (value) => ofTime('from', value),
};

const ofOne = (name: string, values: readonly string[] | undefined): Values | null =>
  values === undefined || values.length === 0 ? null : { [name]: values };

const ofTime = (name: string, value: string): Values | null => {
  const at = dateTime.tryParse(value);
  return at && { [name]: at.toISOString() };
};

/** Writes `192.168.*.*` in CIDR notation. */
function networkOf(value: string): string {
  const parts = value.split('.');
  const fixed = parts.findIndex((part) => part === '*');
  const isPattern = fixed > 0 && parts.length === 4 && parts.slice(fixed).every((part) => part === '*');
  return isPattern ? `${parts.map((part) => (part === '*' ? '0' : part)).join('.')}/${8 * fixed}` : value;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the conditions of a rule; null if Signpost lacks one of them, or cannot combine two. */
function whenOf(conditions: unknown): Values | null {
  if (!Array.isArray(conditions) || conditions.length === 0) return null;
  const when: Values = {};
  for (const condition of conditions as unknown[]) {
    if (!isObject(condition)) return null;
    const { type, matchValue, matchKey } = condition;
    const mapping = mappings[String(type)];
    const mapped = mapping?.(textOf(matchValue), textOf(matchKey)) ?? null;
    if (mapped === null) return null;
    for (const [name, value] of Object.entries(mapped)) {
      if (name === 'query' && isObject(when.query)) {
        const [key, expected] = Object.entries(value as Values)[0]!;
        if (Object.hasOwn(when.query, key) && when.query[key] !== expected) return null;
        when.query = { ...when.query, [key]: expected };
      } else if (Object.hasOwn(when, name)) return null;
      else when[name] = value;
    }
  }
  return when;
}

interface Candidate {
  when: Values;
  then: { url: unknown };
}

const priorityOf = (rule: unknown): number => (isObject(rule) ? Number(rule.priority ?? 0) : 0);

/** The rules whose places are fields, by their conditions as JSON. Apps keep opening links with fields. */
const fields = new Map<string, UrlTarget>([
  [JSON.stringify({ platforms: devices['ios'] }), 'ios_fallback_url'],
  [JSON.stringify({ platforms: devices['android'] }), 'android_fallback_url'],
]);

const fieldOf = ({ when }: Candidate): UrlTarget | undefined => fields.get(JSON.stringify(when));

/** Takes the redirect rules in the order of their priorities. Reports a rule that Signpost cannot have. */
export const redirectRules: to.Reader = (cell, draft) => {
  const sent = parseJson(cell.value);
  if (!Array.isArray(sent)) return draft.report(cell);
  const rules: Candidate[] = [];
  for (const value of (sent as unknown[]).toSorted((a, b) => priorityOf(a) - priorityOf(b))) {
    const when = isObject(value) ? whenOf(value.conditions) : null;
    const rule = { when: when ?? {}, then: { url: isObject(value) ? value.longUrl : undefined } };
    if (when === null || linkRules.tryParse([...rules, rule]) === null) draft.report({ ...cell, value });
    else rules.push(rule);
  }
  if (rules.every((rule) => fieldOf(rule) !== undefined))
    for (const rule of rules) draft.url(fieldOf(rule)!, { ...cell, value: rule.then.url });
  else draft.rules(rules, cell);
};
