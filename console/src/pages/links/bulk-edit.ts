import type { DynamicLinkListItem } from 'signpost-client';
import { webAddress } from '../../components/web-address';
import type { LinkChanges } from '../link/link-values';
import { utmNames } from '../link/utm-parameters';

/** Texts that a change of many links can replace. Names in the project, such as paths, differ by link. */
const texts = ['name', 'title', 'notes', 'social_title', 'social_description'] as const;
const addresses = ['desktop_url', 'ios_fallback_url', 'android_fallback_url', 'social_image_url'] as const;
const apps = ['ios_app_id', 'android_app_id'] as const;

export const editFields = [...addresses, ...utmNames, ...apps, ...texts];

/** The part of a value that a change replaces. Links lose their value by `empty` alone, because a form begins without a value. */
export type EditMode = 'whole' | 'part' | 'empty';

/** Returns the changes that a field can have. A name cannot be cleared. */
export const modesOf = (field: string): EditMode[] =>
  isApp(field) ? ['whole', 'empty'] : field === 'name' ? ['whole', 'part'] : ['whole', 'part', 'empty'];

export interface Edit {
  field: string;
  mode: EditMode;
  /** The part that is replaced. */
  part: string;
  value: string;
}

export interface PlannedEdit {
  id: string;
  name: string;
  before: string;
  after: string;
  change: LinkChanges;
  /** The version that the preview shows. */
  updatedAt: string;
}

const has = (names: readonly string[], field: string): boolean => names.includes(field);
export const isApp = (field: string): boolean => has(apps, field);

/** Returns the changes of the links whose value differs from the new one. */
export function planEdit(links: readonly DynamicLinkListItem[], edit: Edit): PlannedEdit[] {
  const { field, mode, part, value } = edit;
  if ({ whole: value.trim(), part, empty: field }[mode] === '') return [];
  const isAddress = has(addresses, field);
  return links.flatMap((link) => {
    const before = valueOf(link, field);
    const whole = isAddress ? webAddress(value) : value.trim();
    const after = { whole, part: before.replaceAll(part, value), empty: '' }[mode];
    if (after === before) return [];
    return [
      { id: link.id, name: link.name, before, after, change: changeOf(link, field, after), updatedAt: link.updated_at },
    ];
  });
}

function valueOf(link: DynamicLinkListItem, field: string): string {
  if (has(utmNames, field)) return link.referrer_params?.[field] ?? '';
  return (link[field as keyof DynamicLinkListItem] as string | null) ?? '';
}

function changeOf(link: DynamicLinkListItem, field: string, after: string): LinkChanges {
  // The service refuses an empty name, which a replaced part can leave.
  if (!has(utmNames, field)) return { [field]: after === '' && field !== 'name' ? null : after };
  const { [field]: _, ...others } = link.referrer_params ?? {};
  const params = after === '' ? others : { ...link.referrer_params, [field]: after };
  return { referrer_params: Object.keys(params).length > 0 ? params : null };
}
