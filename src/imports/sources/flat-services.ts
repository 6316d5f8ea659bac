import * as to from './field-readers';
import { foldedFlag } from './folded-flag';
import { TableSource, withoutPlace } from './table-source';
import { createdAt, momentTo } from './time-readers';

/** Reports that a link has a password if the record does not contain it. */
const hasPassword: to.Reader = (cell, draft, cells) => {
  if (!cells.has('password') && foldedFlag(cell.value) !== false) draft.report(cell);
};

export const shortIo = new TableSource(
  'short-io',
  [
    [['domain', 'hostname'], to.host],
    [['path', 'slug'], to.path],
    [['shortURL', 'short link'], to.address],
    [['secureShortURL'], to.address],
    [['originalURL', 'original url', 'destination'], to.urlTo('desktop_url')],
    [['iphoneURL'], to.urlTo('ios_fallback_url')],
    [['androidURL'], to.urlTo('android_fallback_url')],
    [['title'], to.textTo('title')],
    [['tags'], to.tags],
    [['archived'], to.flagTo('archived')],
    [['utmSource'], to.param('utm_source')],
    [['utmMedium'], to.param('utm_medium')],
    [['utmCampaign'], to.param('utm_campaign')],
    [['utmTerm'], to.param('utm_term')],
    [['utmContent'], to.param('utm_content')],
    [['createdAt', 'created at'], createdAt],
    [['clicks', 'total clicks'], to.clicks],
    [['id', 'idString'], to.noPlace],
    [['expiresAt'], momentTo('active_until')],
    [['expiredURL'], to.urlTo('expired_url')],
    [['clicksLimit'], to.clicksLeft('clicks')],
    [['password'], to.secret],
    [['hasPassword'], hasPassword],
    ...withoutPlace('DomainId', 'OwnerId'),
    ...withoutPlace('splitURL', 'splitPercent', 'cloaking', 'redirectType', 'updatedAt'),
  ],
  { required: 'originalURL', texts: ['path'] },
);

export const rebrandly = new TableSource(
  'rebrandly',
  [
    [['domain.fullName', 'domainName', 'domain'], to.host],
    [['slashtag'], to.path],
    [['shortUrl', 'short url', 'link'], to.address],
    [['destination', 'destination url'], to.urlTo('desktop_url')],
    [['title'], to.textTo('title')],
    [['description', 'note'], to.textTo('notes')],
    [['tags'], to.tags],
    [['createdAt', 'created at'], createdAt],
    [['clicks'], to.clicks],
    [['status'], to.status],
    [['forwardParameters'], to.forwarding],
    [['https'], to.needsNoPlace],
    [['domain.id', 'domainId'], to.noPlace],
    ...withoutPlace('domain.ref', 'id', 'updatedAt'),
    [['lastClickDate', 'lastClickAt'], to.noPlace],
    [['isPublic'], to.noPlace],
    [['favourite', 'favorite'], to.noPlace],
    [['scripts'], to.noPlace],
  ],
  { required: 'destination', texts: ['slashtag'], nested: { domain: {} } },
);

export const kutt = new TableSource(
  'kutt',
  [
    [['domain'], to.host],
    [['address'], to.path],
    [['link', 'shortUrl'], to.address],
    [['target'], to.urlTo('desktop_url')],
    [['description'], to.textTo('notes')],
    [['banned'], to.flagTo('disabled')],
    [['expire_in'], momentTo('active_until')],
    [['created_at'], createdAt],
    [['visit_count'], to.clicks],
    ...withoutPlace('id', 'uuid', 'password', 'updated_at', 'user_id', 'domain_id'),
  ],
  { required: 'target', texts: ['address'] },
);

export const yourls = new TableSource(
  'yourls',
  [
    [['keyword'], to.path],
    [['shorturl'], to.address],
    [['url', 'longurl'], to.urlTo('desktop_url')],
    [['title'], to.textTo('title')],
    [['timestamp', 'date'], createdAt],
    [['clicks'], to.clicks],
    [['ip'], to.noPlace],
  ],
  { required: 'url', texts: ['keyword'] },
);
