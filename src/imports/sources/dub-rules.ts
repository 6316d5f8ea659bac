import { linkRules } from '../../links/link-rules/link-rules';
import type * as to from './field-readers';
import { isObject, parseJson } from './source-cells';

/**
 * Takes the destinations by country. Those of iOS and Android come before them, as in Dub. Countries with the same destination share
 * a rule. Reports countries that exceed the number of rules, or that Signpost does not know.
 */
export const geo: to.Reader = (cell, draft) => {
  const byCountry = parseJson(cell.value);
  if (!isObject(byCountry)) return draft.report(cell);
  const countries = new Map<unknown, string[]>();
  for (const [country, url] of Object.entries(byCountry)) countries.set(url, [...(countries.get(url) ?? []), country]);
  const rules: object[] = [
    ...(draft.has('ios_fallback_url') ? [['ios', 'ipados']] : []),
    ...(draft.has('android_fallback_url') ? [['android']] : []),
  ].map((platforms) => ({ when: { platforms }, then: { app: true } }));
  const ownRules = rules.length;
  for (const [url, ofUrl] of countries) {
    const rule = { when: { countries: ofUrl }, then: { url } };
    if (linkRules.tryParse([...rules, rule]) === null)
      for (const country of ofUrl) draft.report({ ...cell, field: `${cell.field}.${country}`, value: url });
    else rules.push(rule);
  }
  if (rules.length > ownRules) draft.rules(rules, cell);
};
