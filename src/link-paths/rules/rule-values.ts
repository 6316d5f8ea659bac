import { browserNames } from '../../shared/browser-names';
import { dateTime } from '../../shared/date-time';
import { ipNetwork } from '../../shared/ip-network';
import { objectRule } from './object-rule';
import { jsonBoolean, listOf, oneOf, refused, Rule, wrongType } from '../../shared/rule';
import { text } from '../../shared/text';
import { reservedParameters } from '../paths/reserved-parameters';
import { versionRange } from './version-range';
import { isObject } from '../../shared/is-object';

export const rulePlatforms = ['ios', 'ipados', 'android', 'windows', 'macos', 'linux', 'chromeos', 'other'] as const;
export type RulePlatform = (typeof rulePlatforms)[number];

const maxItems = 50;

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

const countryText = text({ min: 2, max: 2, pattern: /^[A-Za-z]{2}$/ });

/** Reads a country (ISO 3166-1) in any letter case. Proxies send `XX` for an unknown one. */
export const country = new Rule<string>(countryText.schema, (value) => {
  const code = countryText.tryParse(value)?.toUpperCase();
  const isKnown =
    code !== undefined && !['XX', 'ZZ'].includes(code) && new Intl.Locale(`und-${code}`).region === code
      ? regionNames.of(code) !== undefined
      : false;
  return isKnown ? { value: code! } : refused('invalid_format', 'must be a country of ISO 3166-1 such as DE');
});

const languageText = text({
  min: 2,
  max: 11,
  pattern: /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?$/,
});

/** Reads a language range (RFC 4647, section 2.1) of language, script and region, and writes it in its canonical form. */
export const language = new Rule<string>(languageText.schema, (value) => {
  const sent = languageText.tryParse(value);
  const tag = sent === null ? null : Intl.getCanonicalLocales(sent)[0]!;
  return tag !== null && languageNames.of(tag.split('-', 1)[0]!) !== undefined
    ? { value: tag }
    : refused('invalid_format', 'must be a language such as de, pt-BR or zh-Hant');
});

/** Reads a date-time, and writes it in UTC. */
const instant = new Rule<string>(dateTime.schema, (value) => {
  const reading = dateTime.safeParse(value);
  return 'value' in reading ? { value: reading.value.toISOString() } : reading;
});

const hostText = text({
  min: 1,
  max: 255,
  pattern: /^(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/,
  patternSays: 'be a host such as news.example.com, or *.example.com for all hosts below it',
});

/** Reads a host, or `*.` and a host. Android apps have their package as the host. */
const referringHost = new Rule<string>(hostText.schema, (value) => {
  const reading = hostText.safeParse(value);
  return 'value' in reading ? { value: reading.value.toLowerCase() } : reading;
});

const parameterName = text({ min: 1, max: 100 });
const parameterValue = text({ max: 500 });
const maxParameters = 5;
const { type: _, ...propertyNames } = parameterName.schema;

/** Reads parameters with the values that they must have. Null: any value. */
const query = new Rule<Record<string, string | null>>(
  {
    type: 'object',
    additionalProperties: { ...parameterValue.schema, nullable: true },
    maxProperties: maxParameters,
    propertyNames,
  },
  (input) => {
    if (!isObject(input)) return wrongType('object');
    const pairs = Object.entries(input);
    if (pairs.length === 0) return refused('too_small', 'must have at least 1 parameter');
    if (pairs.length > maxParameters) return refused('too_big', `must have at most ${maxParameters} parameters`);
    for (const [name, value] of pairs) {
      if (Object.values(reservedParameters).some((reserved) => reserved === name))
        return refused('invalid_format', 'can never match, because the service removes this parameter', [name]);
      const checks = [parameterName.safeParse(name)];
      if (value !== null) checks.push(parameterValue.safeParse(value));
      for (const reading of checks)
        if ('problems' in reading) return { problems: reading.problems.map((one) => ({ ...one, path: [name] })) };
    }
    return { value: Object.fromEntries(pairs) as Record<string, string | null> };
  },
);

const some = <T>(item: Rule<T>, max = maxItems) => listOf(item, { minItems: 1, maxItems: max });

/** The conditions of a rule by name. */
export const conditions = {
  platforms: some(oneOf(rulePlatforms), rulePlatforms.length),
  os_version: versionRange,
  browsers: some(oneOf(browserNames)),
  countries: some(country, 250),
  languages: some(language),
  from: instant,
  until: instant,
  query,
  referring_hosts: some(referringHost),
  networks: some(ipNetwork, 20),
  qr: jsonBoolean,
  app_version: versionRange,
} as const;

export const when = objectRule(conditions);

export type ConditionName = keyof typeof conditions;
export type When = Extract<ReturnType<typeof when.safeParse>, { value: unknown }>['value'];
