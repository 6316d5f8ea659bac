import type { operations } from 'signpost-client';
import type { RuleDraft } from './rule-drafts';

type SimulateQuery = NonNullable<operations['simulateVisits']['parameters']['query']>;
export type SimulatedPlatform = NonNullable<SimulateQuery['platform']>[number];

/** The visitors of a simulation: each combination is one. */
export interface SimulatedVisitors {
  platforms: SimulatedPlatform[];
  countries: string[];
  languages: string[];
  /** Times in the time zone of the browser, as somebody types them. Empty: now. */
  times: string[];
}

export const maxVisits = 200;

/** Values of a list that a rule names are tried first, and one that no rule names. */
const maxNamed = 3;

/** Returns the visitors that show what rules do: those whom they name, and others. */
export function visitorsFor(rules: readonly RuleDraft[]): SimulatedVisitors {
  const named = (condition: string, others: readonly string[]): string[] => {
    const all = [...new Set(rules.flatMap(({ when }) => (when[condition] as string[] | undefined) ?? []))];
    if (all.length === 0) return [];
    return [...all.slice(0, maxNamed), ...others.filter((one) => !all.includes(one)).slice(0, 1)];
  };
  return {
    platforms: ['ios', 'android', 'desktop'],
    countries: named('countries', ['US', 'DE', 'JP', 'BR']),
    languages: named('languages', ['en', 'de', 'ja', 'pt']),
    times: [],
  };
}

export const visitsOf = ({ platforms, countries, languages, times }: SimulatedVisitors): number =>
  [platforms, countries, languages, times].reduce((product, list) => product * Math.max(list.length, 1), 1);

const timeForm = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$/;

/** Returns a date, with or without a time, as a moment; null if the text is another. */
export function momentOf(text: string): string | null {
  const typed = text.trim();
  if (!timeForm.test(typed)) return null;
  // A date alone would be midnight in UTC.
  const at = new Date(typed.length === 10 ? `${typed}T00:00` : typed.replace(' ', 'T'));
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** Returns the query of the request. An empty list is left out, which means an unknown value. */
export function simulateQueryOf({ platforms, countries, languages, times }: SimulatedVisitors): SimulateQuery {
  const at = times.flatMap((time) => momentOf(time) ?? []);
  return {
    ...(platforms.length > 0 && { platform: platforms }),
    ...(countries.length > 0 && { country: countries }),
    ...(languages.length > 0 && { language: languages }),
    ...(at.length > 0 && { at }),
  };
}
