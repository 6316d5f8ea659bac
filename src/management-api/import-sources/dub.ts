import {
  address,
  clicks,
  createdAt,
  exactText,
  flag,
  host,
  noPlace,
  param,
  path,
  type Reader,
  tags,
  text,
  timeOf,
  url,
} from './field-readers';
import { foldedFlag } from './folded-flag';
import { acceptedTimes } from './source-time';
import { TableSource } from './table-source';

/** Shows the text or picture in previews only if Dub did; otherwise crawlers would get a page instead of the redirect. */
const ifProxied =
  (proxied: Reader, otherwise: Reader): Reader =>
  (cell, draft, cells) =>
    (foldedFlag(cells.get('proxy')?.value) ? proxied : otherwise)(cell, draft, cells);

/** Takes the key as the path. The key of a domain's root is refused. */
const key: Reader = (cell, draft, cells) => {
  if (cell.value === '_root') draft.refuse(cell, 'is the root of a host, where no link can be');
  else path(cell, draft, cells);
};

/** Reads the time since when the link is switched off, or a flag. */
const disabledAt: Reader = (cell, draft) => {
  const on = foldedFlag(cell.value) ?? (timeOf(cell, draft) !== null || null);
  if (on === null) draft.refuse(cell, `must be ${acceptedTimes}, true or false`);
  else if (on) draft.set('disabled', true, cell);
};

export const dub = new TableSource(
  'dub',
  [
    [['domain'], host],
    [['key'], key],
    [['shortLink', 'Short link', 'link'], address],
    [['url', 'Destination URL'], url('desktop_url')],
    [['ios'], url('ios_fallback_url')],
    [['android'], url('android_fallback_url')],
    [['title'], ifProxied(text('social_title'), text('title'))],
    [['description'], ifProxied(text('social_description'), noPlace)],
    [['image'], ifProxied(url('social_image_url'), noPlace)],
    [['comments'], text('notes')],
    [['externalId'], exactText('external_id')],
    [['tags'], tags],
    [['archived'], flag('archived')],
    [['disabledAt'], disabledAt],
    [['utm_source'], param('utm_source')],
    [['utm_medium'], param('utm_medium')],
    [['utm_campaign'], param('utm_campaign')],
    [['utm_term'], param('utm_term')],
    [['utm_content'], param('utm_content')],
    [['createdAt', 'Created at'], createdAt],
    [['clicks'], clicks],
    [['proxy'], () => undefined],
    [['id', 'Link ID'], noPlace],
    [['tenantId'], noPlace],
    [['folderId'], noPlace],
    [['expiresAt'], noPlace],
    [['expiredUrl'], noPlace],
    [['password'], noPlace],
    [['video'], noPlace],
    [['rewrite'], noPlace],
    [['doIndex'], noPlace],
    [['geo'], noPlace],
    [['testVariants'], noPlace],
    [['testCompletedAt'], noPlace],
    [['lastClicked'], noPlace],
    [['leads'], noPlace],
    [['conversions'], noPlace],
    [['sales'], noPlace],
    [['saleAmount', 'Revenue'], noPlace],
    [['updatedAt', 'Updated at'], noPlace],
  ],
  { required: 'url', texts: ['key'] },
);
