import * as to from './field-readers';
import { geo, ofTest, testVariants } from './dub-rules';
import { foldedFlag } from './folded-flag';
import { acceptedTimes } from './source-time';
import { TableSource, utmParams, withoutPlace } from './table-source';
import { createdAt, momentTo, timeOf } from './time-readers';

/** Shows the text or picture in previews only if Dub did; otherwise crawlers would get a page instead of the redirect. */
const ifProxied =
  (proxied: to.Reader, otherwise: to.Reader): to.Reader =>
  (cell, draft, cells) =>
    (foldedFlag(cells.get('proxy')?.value) ? proxied : otherwise)(cell, draft, cells);

/** Takes the key as the path. The key of a domain's root is refused. */
const key: to.Reader = (cell, draft, cells) => {
  if (cell.value === '_root') draft.refuse(cell, 'is the root of a host, where no link can be');
  else to.path(cell, draft, cells);
};

/** Reads the time since when the link is switched off, or a flag. */
const disabledAt: to.Reader = (cell, draft) => {
  const on = foldedFlag(cell.value) ?? (timeOf(cell, draft) !== null || null);
  if (on === null) draft.refuse(cell, `must be ${acceptedTimes}, true or false`);
  else if (on) draft.set('disabled', true, cell);
};

export const dub = new TableSource(
  'dub',
  [
    [['domain'], to.host],
    [['key'], key],
    [['shortLink', 'Short link', 'link'], to.address],
    [['url', 'Destination URL'], to.urlTo('desktop_url')],
    [['ios'], to.urlTo('ios_fallback_url')],
    [['android'], to.urlTo('android_fallback_url')],
    [['title'], ifProxied(to.textTo('social_title'), to.textTo('title'))],
    [['description'], ifProxied(to.textTo('social_description'), to.noPlace)],
    [['image'], ifProxied(to.urlTo('social_image_url'), to.noPlace)],
    [['comments'], to.textTo('notes')],
    [['externalId'], to.exactText('external_id')],
    [['tags'], to.tags],
    [['archived'], to.flagTo('archived')],
    [['disabledAt'], disabledAt],
    ...utmParams,
    [['createdAt', 'Created at'], createdAt],
    [['clicks'], to.clicks],
    [['proxy'], () => undefined],
    [['id', 'Link ID'], to.noPlace],
    [['expiresAt'], momentTo('active_until')],
    [['expiredUrl'], to.urlTo('expired_url')],
    [['password'], to.secret],
    [['geo'], geo],
    [['testVariants'], testVariants],
    [['testStartedAt'], ofTest],
    [['testCompletedAt'], ofTest],
    ...withoutPlace('tenantId', 'folderId', 'video', 'rewrite', 'doIndex'),
    ...withoutPlace('lastClicked', 'leads', 'conversions', 'sales'),
    [['saleAmount', 'Revenue'], to.noPlace],
    [['updatedAt', 'Updated at'], to.noPlace],
  ],
  { required: 'url', texts: ['key'] },
);
