import type { JournalEntry } from 'signpost-client';
import type { I18n } from '../../i18n/i18n';
import { textsInRules, textsOfField } from '../../i18n/field-texts';
import { isMessageKey, type MessageKey } from '../../i18n/text';
import { platformOptions } from '../../rules/condition-options';

export interface Words extends Pick<I18n, 't' | 'dateTime' | 'locale'> {
  /** Names of resources by id. */
  names: ReadonlyMap<string, string>;
}

/** A value of an entry in the words of forms. Null: the entry does not say it. */
export interface EntryValue {
  label: string;
  before: string | null;
  after: string | null;
}

type Values = Record<string, unknown>;

/** Columns that say nothing to a reader. */
const hidden = new Set([
  ...['id', 'account_id', 'user_id', 'created_at', 'created_by', 'created_by_api_key_id', 'digest', 'folded_name'],
  'challenge',
]);

/** Columns of a new or deleted resource that stand beside the values. */
const hiddenAtOnce = new Set(['name', 'project_id']);

/** Columns that have JSON as a text. */
const jsonColumns = new Set(['rules', 'variants', 'app_data']);

/** Objects whose keys are data. */
const maps = new Set(['referrer_params', 'params', 'query', 'app_data', 'project_roles', 'android_stores']);

/** The beginning of the keys of texts that name the values of a field. */
const valueTexts: Record<string, readonly string[]> = {
  role: ['role'],
  project_roles: ['role'],
  query_forwarding: ['forwarding'],
  release_guard: ['settings.releaseGuard'],
  operation: ['approvals.operation'],
  state: ['approvals.state', 'imports.state'],
  source: ['clicks.source', 'imports.source'],
};

/** Returns the values of an entry, each part of a nested one by itself. A change has those that differ. */
export function entryValues({ before, after }: Pick<JournalEntry, 'before' | 'after'>, words: Words): EntryValue[] {
  const isUpdate = before !== null && after !== null;
  return Object.keys({ ...before, ...after })
    .filter((name) => !hidden.has(name) && (isUpdate || !hiddenAtOnce.has(name)))
    .flatMap((name) => {
      const label = labelOf(name, words);
      const [old, next] = [before, after].map((values) => {
        const value = values?.[name];
        return new Map(isUpdate || value !== false ? [...partsOf(name, parsed(name, value), [label], words)] : []);
      }) as [Map<string, string>, Map<string, string>];
      const parts = [...new Set([...old.keys(), ...next.keys()])].map((part) => ({
        label: part,
        before: before && (old.get(part) ?? ''),
        after: after && (next.get(part) ?? ''),
      }));
      if (!isUpdate) return parts;
      const changed = parts.filter((part) => part.before !== part.after);
      return changed.length > 0 ? changed : [{ label, before: null, after: words.t('history.action.updated') }];
    });
}

function labelOf(name: string, { t }: Words): string {
  const key = textsOfField(name)?.label ?? `history.field.${name}`;
  return isMessageKey(key) ? t(key) : name.replaceAll('_', ' ');
}

function parsed(name: string, value: unknown): unknown {
  if (!jsonColumns.has(name) || typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the object of a list of pairs, as which the journal has parameters in their order; other values as they are. */
const unpaired = (name: string, value: unknown): unknown =>
  maps.has(name) && Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2)
    ? Object.fromEntries(value as [string, unknown][])
    : value;

/** Yields the labels and texts of the parts of a value. */
function* partsOf(name: string, stored: unknown, labels: string[], words: Words): Generator<[string, string]> {
  const { t } = words;
  const value = unpaired(name, stored);
  if (value === undefined || value === null || value === '') return;
  if (!isObject(value) || (Array.isArray(value) && !value.some(isObject))) {
    const texts = [value].flat().map((one) => textOf(name, one, words));
    if (texts.length > 0) yield [labels.join(' · '), texts.join(', ')];
    return;
  }
  if (Array.isArray(value)) {
    for (const [at, item] of (value as Values[]).entries()) {
      const number = at + 1;
      if (name === 'variants')
        yield [
          [...labels.slice(0, -1), `${t('variants.name')} ${String(item['name'])}`].join(' · '),
          `${String(item['url'])} (${String(item['weight'])})`,
        ];
      else if (name === 'rules') yield* partsOf('rule', item, [t('rules.rule', { number })], words);
      else yield* partsOf(name, item, [...labels, String(number)], words);
    }
    return;
  }
  const values = value as Values;
  if (name === 'os_version' || name === 'app_version') {
    const { min, max } = value as { min?: string; max?: string };
    yield [labels.join(' · '), [min && `≥ ${min}`, max && `≤ ${max}`].filter(Boolean).join(', ')];
    return;
  }
  for (const [key, one] of Object.entries(values)) {
    const answer = `rules.then.${key}`;
    if (maps.has(name)) {
      const text = name === 'query' && one === null ? t('rules.query.present') : one;
      yield* partsOf(isObject(one) ? key : name, text, [...labels, words.names.get(key) ?? key], words);
    } else if (name === 'rule') yield* partsOf(key, one, labels, words);
    else if (name === 'then' && one === true && isMessageKey(answer))
      yield [[...labels, t('rules.then')].join(' · '), t(answer)];
    else {
      const inRule: MessageKey | undefined =
        key === 'url' ? 'rules.then' : textsInRules(['rules', 0, name, key])?.label;
      yield* partsOf(key, one, [...labels, inRule ? t(inRule) : labelOf(key, words)], words);
    }
  }
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const isId = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const maxLength = 200;

/** Returns a single value as text, cut to the length of a cell. */
function textOf(name: string, value: unknown, { t, dateTime, locale, names }: Words): string {
  if (name === 'qr') return t(value === true ? 'rules.qr.true' : 'rules.qr.false');
  if (typeof value === 'boolean') return t(value ? 'conflict.on' : 'conflict.off');
  if (name === 'password_hash') return t('link.password.set');
  const text = String(value);
  const key = valueTexts[name]?.map((start) => `${start}.${text}`).find(isMessageKey);
  if (key !== undefined) return t(key);
  if (name === 'countries') return new Intl.DisplayNames(locale, { type: 'region' }).of(text) ?? text;
  if (name === 'platforms')
    return platformOptions(t('rules.otherPlatform')).find((option) => option.value === text)?.label ?? text;
  if (isTime.test(text)) return dateTime(text);
  if (isId.test(text)) return names.get(text) ?? `…${text.slice(-8)}`;
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
