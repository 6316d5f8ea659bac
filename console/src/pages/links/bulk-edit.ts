import type { DynamicLinkListItem } from 'signpost-client';
import { webAddress } from '../../components/web-address';
import type { LinkChanges } from '../link/link-values';
import { utmNames } from '../link/utm-parameters';

/** Texts that a change of many links can replace. Names in the project, such as paths, differ by link. */
const texts = ['name', 'title', 'notes', 'social_title', 'social_description'] as const;
const addresses = ['desktop_url', 'ios_fallback_url', 'android_fallback_url', 'social_image_url'] as const;
const apps = ['ios_app_id', 'android_app_id'] as const;

export const editFields = [...addresses, ...utmNames, ...apps, ...texts];

export interface Edit {
  field: string;
  /** Whether only a part of the value is replaced. */
  isPart: boolean;
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
  const { field, isPart, part, value } = edit;
  if (isPart && part === '') return [];
  const isAddress = has(addresses, field);
  return links.flatMap((link) => {
    const before = valueOf(link, field);
    const whole = isAddress ? webAddress(value) : value.trim();
    const after = isPart && !isApp(field) ? before.replaceAll(part, value) : whole;
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
  // A name cannot be cleared, so the service refuses an empty one.
  if (!has(utmNames, field)) return { [field]: after === '' && field !== 'name' ? null : after };
  const { [field]: _, ...others } = link.referrer_params ?? {};
  const params = after === '' ? others : { ...link.referrer_params, [field]: after };
  return { referrer_params: Object.keys(params).length > 0 ? params : null };
}
