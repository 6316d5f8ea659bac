import * as to from './field-readers';
import { TableSource, withoutPlace } from './table-source';

export const kutt = new TableSource(
  'kutt',
  [
    [['domain'], to.host],
    [['address'], to.path],
    [['link', 'shortUrl'], to.address],
    [['target'], to.urlTo('desktop_url')],
    [['description'], to.textTo('notes')],
    [['banned'], to.flag('disabled')],
    [['created_at'], to.createdAt],
    [['visit_count'], to.clicks],
    ...withoutPlace('id', 'uuid', 'password', 'expire_in', 'updated_at', 'user_id', 'domain_id'),
  ],
  { required: 'target', texts: ['address'] },
);
