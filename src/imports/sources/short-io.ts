import * as to from './field-readers';
import { TableSource, withoutPlace } from './table-source';

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
    [['archived'], to.flag('archived')],
    [['utmSource'], to.param('utm_source')],
    [['utmMedium'], to.param('utm_medium')],
    [['utmCampaign'], to.param('utm_campaign')],
    [['utmTerm'], to.param('utm_term')],
    [['utmContent'], to.param('utm_content')],
    [['createdAt', 'created at'], to.createdAt],
    [['clicks', 'total clicks'], to.clicks],
    [['id', 'idString'], to.noPlace],
    ...withoutPlace('DomainId', 'OwnerId', 'expiresAt', 'expiredURL', 'clicksLimit', 'password', 'hasPassword'),
    ...withoutPlace('splitURL', 'splitPercent', 'cloaking', 'redirectType', 'updatedAt'),
  ],
  { required: 'originalURL', texts: ['path'] },
);
