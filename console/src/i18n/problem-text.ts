import { textsInRules, textsOfField } from './field-texts';
import type { I18n } from './i18n';
import { neverMatches } from './never-matches';
import { isMessageKey } from './text';

/** One fault of an input, as the API names it. */
export interface InputProblem {
  code: string;
  path: readonly (string | number)[];
  /** In the words of the service, which are English. */
  message: string;
}

/** The limit that a message of the service names, with its unit. */
const limitForm = / at (?:least|most) (\d+)(?: (characters|items?|pairs))?/;

/** Returns the label of a field as its form shows it, with the place inside a list or an object. */
export function labelOf(path: readonly (string | number)[], { t, number }: Pick<I18n, 't' | 'number'>): string {
  const ofRule = textsInRules(path);
  if (ofRule) return t(ofRule.label);
  const [field, place] = path;
  if (field === undefined) return t('problem.request');
  const texts = textsOfField(String(field));
  // A field that only programs send has the name of the API.
  if (!texts) return path.join('.');
  const label = t(texts.label);
  if (place === undefined) return label;
  return typeof place === 'number'
    ? t('problem.entry', { label, number: number(place + 1) })
    : t('problem.key', { label, key: place });
}

/** Explains a fault in the reader's language, with the label of the field. A code that this console does not know has the words of the service. */
export function problemText(problem: InputProblem, i18n: Pick<I18n, 't' | 'number'>): string {
  const { code, path, message } = problem;
  // Only the service knows what is wrong with a whole file.
  if (code === 'invalid_format' && path.length === 0) return message;
  // This console sends no other JSON that a person wrote.
  if (code === 'invalid_json' && path.length === 0) return i18n.t('problem.invalid_json.file');
  const never = code === 'invalid_format' ? neverMatches(message, i18n) : null;
  if (never !== null) return never;
  const label = labelOf(path, i18n);
  const form = (textsInRules(path) ?? textsOfField(String(path[0])))?.form;
  if (code === 'invalid_format' && form) return i18n.t(form, { label });
  const [, limit, unit] = limitForm.exec(message) ?? [];
  const isEmpty = code === 'too_small' && (limit === undefined || limit === '1');
  const kinds = { characters: 'characters', item: 'entries', items: 'entries', pairs: 'entries' } as const;
  const kind = kinds[unit as keyof typeof kinds] ?? 'number';
  const specific = isEmpty ? 'problem.required' : `problem.${code}${limit === undefined ? '' : `.${kind}`}`;
  const key = [specific, `problem.${code}`].find(isMessageKey);
  if (key === undefined) return message;
  return i18n.t(key, { label, limit: limit === undefined ? '' : i18n.number(Number(limit)) });
}
