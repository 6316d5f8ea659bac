import * as to from './field-readers';
import type { LinkDraft, UrlTarget } from './link-draft';
import type { Cell } from './source-cells';
import { TableSource, withoutPlace } from './table-source';
import { createdAt } from './time-readers';

/** Takes the destination unless a field before it in Branch's order has one. */
const destinationUnless =
  (...earlier: string[]): to.Reader =>
  (cell, draft, cells) => {
    if (to.firstOf(cells, ...earlier) === null) draft.url('desktop_url', cell);
    else draft.report(cell);
  };

const destinations = ['desktop_url', 'ios_fallback_url', 'android_fallback_url'] satisfies UrlTarget[];

/** Takes the fallback for all platforms that have no destination on the web. */
const fallback: to.Reader = (cell, draft) => {
  const free = destinations.filter((target) => !draft.has(target));
  for (const target of free) draft.url(target, cell);
  if (free.length === 0) draft.report(cell);
};

/** Reports a link that leads computers nowhere, with what identifies it. Branch takes missing destinations from its dashboard. */
const reportMissingDestination = (draft: LinkDraft, cells: to.Cells): void => {
  const { value } = to.firstOf(cells, 'url', 'alias', '$deeplink_path') ?? { value: '' };
  if (!draft.has('desktop_url')) draft.report({ field: 'no desktop_url', value });
};

/** Returns whether a field in `data` is Branch's. The others belong to the app, also if they have the name of a field of Branch. */
const isOfBranch = (name: string): boolean => name === 'url' || /^[$~]/.test(name);

const dataPrefix = 'data.';

const appData = (cell: Cell, draft: LinkDraft): boolean =>
  cell.field.startsWith(dataPrefix) && draft.appValue(cell.field.slice(dataPrefix.length), cell.value);

export const branch = new TableSource(
  'branch',
  [
    [['url', 'link', 'short url', 'branch link'], to.address],
    [['alias'], to.unless('url', to.path)],
    [['$desktop_url'], to.urlTo('desktop_url')],
    [['$ios_url'], to.urlTo('ios_fallback_url')],
    [['$android_url'], to.urlTo('android_fallback_url')],
    [['$fallback_url'], fallback],
    [['$canonical_url'], destinationUnless('$desktop_url', '$fallback_url')],
    [['$marketing_title', 'marketing title', 'link name'], to.textTo('name')],
    [['$og_title'], to.textTo('social_title')],
    [['$og_description'], to.textTo('social_description')],
    [['$og_image_url'], to.urlTo('social_image_url')],
    [['campaign', '~campaign'], to.param('utm_campaign')],
    [['channel', '~channel'], to.param('utm_source')],
    [['feature', '~feature'], to.param('utm_medium')],
    [['tags', '~tags'], to.tags],
    [['creation_timestamp', 'created at', 'creation date'], createdAt],
    [['clicks', 'total clicks'], to.clicks],
    [['stage', '~stage'], to.noPlace],
    ...withoutPlace('type', '$deeplink_path'),
    [['$ios_deeplink_path'], to.sameAs('$deeplink_path')],
    [['$android_deeplink_path'], to.sameAs('$deeplink_path')],
    [['$ipad_url'], to.sameAs('$ios_url')],
    ...withoutPlace('$one_time_use', '~id', '~creation_source'),
  ],
  {
    texts: ['alias'],
    nested: { data: { inline: isOfBranch } },
    other: appData,
    reportMissing: reportMissingDestination,
  },
);
