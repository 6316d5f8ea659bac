import {
  address,
  type Cells,
  clicks,
  createdAt,
  firstOf,
  needsNoPlace,
  noPlace,
  param,
  path,
  type Reader,
  sameAs,
  tags,
  text,
  url,
} from './field-readers';
import type { LinkDraft, UrlTarget } from './link-draft';
import { TableSource } from './table-source';

/** Takes the destination unless a field before it in Branch's order has one. */
const destinationUnless =
  (...earlier: string[]): Reader =>
  (cell, draft, cells) => {
    if (firstOf(cells, ...earlier) === null) draft.url('desktop_url', cell);
    else draft.report(cell);
  };

const destinations = ['desktop_url', 'ios_fallback_url', 'android_fallback_url'] satisfies UrlTarget[];

/** Takes the fallback for all platforms that have no destination on the web. */
const fallback: Reader = (cell, draft) => {
  const free = destinations.filter((target) => !draft.has(target));
  for (const target of free) draft.url(target, cell);
  if (free.length === 0) draft.report(cell);
};

/** Reads the alias, which the address contains too. */
const alias: Reader = (cell, draft, cells) => {
  if (cells.has('url')) needsNoPlace(cell, draft, cells);
  else path(cell, draft, cells);
};

/** Reports a link that leads computers nowhere, with what identifies it. Branch takes missing destinations from its dashboard. */
const reportMissingDestination = (draft: LinkDraft, cells: Cells): void => {
  const { value } = firstOf(cells, 'url', 'alias', '$deeplink_path') ?? { value: '' };
  if (!draft.has('desktop_url')) draft.report({ field: 'no desktop_url', value });
};

/** Returns whether a field in `data` is Branch's. The others belong to the app, also if they have the name of a field of Branch. */
const isOfBranch = (name: string): boolean => name === 'url' || /^[$~]/.test(name);

export const branch = new TableSource(
  'branch',
  [
    [['url', 'link', 'short url', 'branch link'], address],
    [['alias'], alias],
    [['$desktop_url'], url('desktop_url')],
    [['$ios_url'], url('ios_fallback_url')],
    [['$android_url'], url('android_fallback_url')],
    [['$fallback_url'], fallback],
    [['$canonical_url'], destinationUnless('$desktop_url', '$fallback_url')],
    [['$marketing_title', 'marketing title', 'link name'], text('name')],
    [['$og_title'], text('social_title')],
    [['$og_description'], text('social_description')],
    [['$og_image_url'], url('social_image_url')],
    [['campaign', '~campaign'], param('utm_campaign')],
    [['channel', '~channel'], param('utm_source')],
    [['feature', '~feature'], param('utm_medium')],
    [['tags', '~tags'], tags],
    [['creation_timestamp', 'created at', 'creation date'], createdAt],
    [['clicks', 'total clicks'], clicks],
    [['stage', '~stage'], noPlace],
    [['type'], noPlace],
    [['$deeplink_path'], noPlace],
    [['$ios_deeplink_path'], sameAs('$deeplink_path')],
    [['$android_deeplink_path'], sameAs('$deeplink_path')],
    [['$ipad_url'], sameAs('$ios_url')],
    [['$one_time_use'], noPlace],
    [['~id'], noPlace],
    [['~creation_source'], noPlace],
  ],
  { texts: ['alias'], nested: { data: { inline: isOfBranch } }, reportMissing: reportMissingDestination },
);
