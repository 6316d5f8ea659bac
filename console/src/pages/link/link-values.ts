import type { UseFormReturnType } from '@mantine/form';
import type { DynamicLinkWithApps, operations } from 'signpost-client';
import { changedFields } from '../../components/changed-fields';
import { localTime, utcTime } from '../../components/local-time';
import { webAddress } from '../../components/web-address';
import { draftsOf, type Pair, pairsOf, parametersOf, type RuleDraft, rulesOf } from '../../rules/rule-drafts';
import { type VariantRow, variantsOf } from '../../rules/variants';

export type NewLinkBody = operations['createDynamicLink']['requestBody']['content']['application/json'];
export type LinkChanges = operations['updateDynamicLink']['requestBody']['content']['application/json'];

export type QueryForwarding = DynamicLinkWithApps['query_forwarding'] & string;

/** Texts of the card that apps show for a link. */
export const cardTexts = ['social_title', 'social_description'] as const;

/** Texts about a link, which are columns of imports too. */
export const ownTexts = ['title', 'notes'] as const;

/** Fields whose texts the form sends without spaces around them. */
const plainTexts = [...cardTexts, ...ownTexts] as const;
type PlainText = (typeof plainTexts)[number];

const textsBy = <T>(valueOf: (field: PlainText) => T) =>
  Object.fromEntries(plainTexts.map((field) => [field, valueOf(field)])) as Record<PlainText, T>;

/** The fields of the form. An empty text means that the value is absent. */
export interface LinkValues extends Record<PlainText, string> {
  name: string;
  custom_path: string;
  desktop_url: string;
  ios_app_id: string | null;
  android_app_id: string | null;
  ios_fallback_url: string;
  android_fallback_url: string;
  ios_deferred_deep_link: boolean;
  social_image_url: string;
  referrer_params: Pair[];
  /** JSON for apps. */
  app_data: string;
  /** Empty: as the project says. */
  query_forwarding: QueryForwarding | '';
  forwarded_params: string[];
  variants: VariantRow[];
  rules: RuleDraft[];
  /** Name of the template of the project. */
  template: string | null;
  /** Times as inputs of the browser have them, in its time zone. */
  active_from: string;
  active_until: string;
  expired_url: string;
  /** Null without a password. Empty: the stored one, which nobody can read. */
  password: string | null;
  click_limit: string;
  external_id: string;
  tags: string[];
  archived: boolean;
  disabled: boolean;
  conversions: boolean;
}

export type LinkFormState = UseFormReturnType<LinkValues>;

export const emptyLink: LinkValues = {
  ...textsBy(() => ''),
  name: '',
  custom_path: '',
  desktop_url: '',
  ios_app_id: null,
  android_app_id: null,
  ios_fallback_url: '',
  android_fallback_url: '',
  ios_deferred_deep_link: false,
  social_image_url: '',
  referrer_params: [],
  app_data: '',
  query_forwarding: '',
  forwarded_params: [],
  variants: [],
  rules: [],
  template: null,
  active_from: '',
  active_until: '',
  expired_url: '',
  password: null,
  click_limit: '',
  external_id: '',
  tags: [],
  archived: false,
  disabled: false,
  conversions: false,
};

export const linkFields = Object.keys(emptyLink) as (keyof LinkValues)[];

export function valuesOf(link: DynamicLinkWithApps): LinkValues {
  return {
    ...textsBy((field) => link[field] ?? ''),
    name: link.name,
    custom_path: link.custom_path ?? '',
    desktop_url: link.desktop_url ?? '',
    ios_app_id: link.ios_app_id,
    android_app_id: link.android_app_id,
    ios_fallback_url: link.ios_fallback_url ?? '',
    android_fallback_url: link.android_fallback_url ?? '',
    ios_deferred_deep_link: link.ios_deferred_deep_link,
    social_image_url: link.social_image_url ?? '',
    referrer_params: pairsOf(link.referrer_params ?? {}),
    app_data: link.app_data ? JSON.stringify(link.app_data, null, 2) : '',
    query_forwarding: link.query_forwarding ?? '',
    forwarded_params: link.forwarded_params,
    variants: link.variants ?? [],
    rules: draftsOf(link.rules ?? []),
    template: link.template,
    active_from: localTime(link.active_from),
    active_until: localTime(link.active_until),
    expired_url: link.expired_url ?? '',
    password: link.has_password ? '' : null,
    click_limit: link.click_limit === null ? '' : String(link.click_limit),
    external_id: link.external_id ?? '',
    tags: link.tags,
    archived: link.archived,
    disabled: link.disabled,
    conversions: link.conversions,
  };
}

/** Returns the values of a new link that is like another one. Two links cannot have the same path and external id. A password is asked for. */
export const copyOf = (link: DynamicLinkWithApps, name: string): LinkValues => ({
  ...valuesOf(link),
  name,
  custom_path: '',
  external_id: '',
  archived: false,
});

const optional = (text: string): string | null => text.trim() || null;

/** Returns null for a text that is no JSON object. `lostInput` reports it. */
export function objectOf(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** Returns all fields as a change sends them, where null clears a field. */
export function changesOf(values: LinkValues): LinkChanges {
  const path = values.custom_path.trim();
  const variants = values.variants.filter(({ name, url }) => name.trim() !== '' || url.trim() !== '');
  return {
    ...textsBy((field) => optional(values[field])),
    name: values.name.trim(),
    ...(path !== '' && { custom_path: path }),
    desktop_url: optional(webAddress(values.desktop_url)),
    ios_app_id: values.ios_app_id,
    android_app_id: values.android_app_id,
    ios_fallback_url: optional(webAddress(values.ios_fallback_url)),
    android_fallback_url: optional(webAddress(values.android_fallback_url)),
    ios_deferred_deep_link: values.ios_deferred_deep_link,
    social_image_url: optional(webAddress(values.social_image_url)),
    referrer_params: parametersOf(values.referrer_params),
    app_data: objectOf(values.app_data),
    query_forwarding: values.query_forwarding || null,
    forwarded_params: values.forwarded_params,
    variants: variants.length === 0 ? null : variantsOf(variants),
    rules: values.rules.length === 0 ? null : rulesOf(values.rules),
    template: values.template,
    active_from: utcTime(values.active_from),
    active_until: utcTime(values.active_until),
    expired_url: optional(webAddress(values.expired_url)),
    ...(values.password !== '' && { password: values.password }),
    click_limit: values.click_limit === '' ? null : Number(values.click_limit),
    // Another system knows it, so its spaces count.
    external_id: values.external_id || null,
    tags: values.tags,
    archived: values.archived,
    disabled: values.disabled,
    conversions: values.conversions,
  };
}

/** Returns the body of a creation, in which fields without a value are absent. */
export function newLinkOf(values: LinkValues): NewLinkBody {
  const set = Object.entries(changesOf(values)).filter(([, value]) => value !== null);
  return { ...(Object.fromEntries(set) as Omit<NewLinkBody, 'name'>), name: values.name.trim() };
}

/** Returns the changes of a form that is not saved; null if it has none. */
export function unsavedChanges(saved: LinkValues, values: LinkValues): LinkChanges | null {
  const fields: string[] = changedFields(saved, values);
  const changed = Object.entries(changesOf(values)).filter(([field]) => fields.includes(field));
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

/** Returns values with a tag that was typed and not finished. */
export function withTag(values: LinkValues, typed: string): LinkValues {
  const name = typed.trim();
  const isNew = name !== '' && !values.tags.some((tag) => tag.toLowerCase() === name.toLowerCase());
  return isNew ? { ...values, tags: [...values.tags, name] } : values;
}

/** Returns whether a change can be taken back. Nobody can read a stored password, so one that was replaced or removed is lost. */
export const isUndoable = (replaced: LinkValues, sent: LinkValues): boolean =>
  replaced.password !== '' || sent.password === '';

/**
 * Returns whether the service shows the values that were sent like the current ones. Names of tags keep their first spelling. A
 * password that was sent may be another than the stored one, which nobody can read.
 */
export function isSavedAs(sent: LinkValues, current: LinkValues): boolean {
  if (sent.password) return false;
  const shown = (values: LinkValues) => ({
    ...changesOf(values),
    password: values.password !== null,
    tags: values.tags.map((name) => name.toLowerCase()),
  });
  return changedFields(shown(current), shown(sent)).length === 0;
}
