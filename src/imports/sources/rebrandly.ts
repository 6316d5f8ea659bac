import * as to from './field-readers';
import { TableSource, withoutPlace } from './table-source';

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
    [['createdAt', 'created at'], to.createdAt],
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
