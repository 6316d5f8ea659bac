import { linkRules } from '../../link-paths/rules/link-rules';
import type { Cells, Reader } from './field-readers';
import type { LinkDraft } from './link-draft';
import { isObject } from '../../shared/is-object';
import { type Cell, parseJson } from './source-cells';
import { timeOf } from './time-readers';

/** Takes the destinations by country. Countries with the same destination share a rule. */
export const geo: Reader = (cell, draft, cells) => rules(cell, draft, cells);

/** Takes a split, which in Dub has an end. */
export const testVariants: Reader = (cell, draft, cells) => {
  if (!cells.has('geo')) rules(cell, draft, cells);
};

/** Ignores the begin and the end of a split, which a rule has. */
export const ofTest: Reader = (cell, draft, cells) => {
  if (!cells.has('testVariants')) draft.report(cell);
};

/**
 * Takes what Dub decides after iOS and Android: first the country, then the split. Reports countries and splits that exceed the
 * number of rules, or that Signpost does not have.
 */
function rules(first: Cell, draft: LinkDraft, cells: Cells): void {
  const taken: object[] = [
    ...(draft.has('ios_fallback_url') ? [['ios', 'ipados']] : []),
    ...(draft.has('android_fallback_url') ? [['android']] : []),
  ].map((platforms) => ({ when: { platforms }, then: { app: true } }));
  const ofPlatforms = taken.length;
  const take = (rule: object): boolean => {
    const isAccepted = linkRules.tryParse([...taken, rule]) !== null;
    if (isAccepted) taken.push(rule);
    return isAccepted;
  };
  const [ofCountries, ofTest] = [cells.get('geo'), cells.get('testVariants')];
  if (ofCountries) takeCountries(ofCountries, draft, take);
  if (ofTest && !takeSplit(ofTest, draft, cells, take)) draft.report(ofTest);
  if (taken.length > ofPlatforms) draft.rules(taken, first);
}

function takeCountries(cell: Cell, draft: LinkDraft, take: (rule: object) => boolean): void {
  const byCountry = parseJson(cell.value);
  if (!isObject(byCountry)) return draft.report(cell);
  const countries = new Map<unknown, string[]>();
  for (const [country, url] of Object.entries(byCountry)) countries.set(url, [...(countries.get(url) ?? []), country]);
  for (const [url, ofUrl] of countries)
    if (!take({ when: { countries: ofUrl }, then: { url } }))
      for (const country of ofUrl) draft.report({ ...cell, field: `${cell.field}.${country}`, value: url });
}

/** Names the variants by letters, because Dub has no names. Returns false for a split that Dub does not serve either. */
function takeSplit(cell: Cell, draft: LinkDraft, cells: Cells, take: (rule: object) => boolean): boolean {
  const list = parseJson(cell.value);
  const times = ['testStartedAt', 'testCompletedAt'].map((name) => {
    const time = cells.get(name);
    return time && timeOf(time, draft)?.toISOString();
  });
  const [from, until] = times;
  if (!Array.isArray(list) || until === undefined) return false;
  const variants = list.map((one: unknown, at) =>
    isObject(one) ? { name: String.fromCharCode(65 + at), url: one['url'], weight: one['percentage'] } : one,
  );
  return take({ when: { ...(from !== undefined && { from }), until }, then: { variants } });
}
