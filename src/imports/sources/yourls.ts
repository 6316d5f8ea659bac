import * as to from './field-readers';
import { TableSource } from './table-source';

export const yourls = new TableSource(
  'yourls',
  [
    [['keyword'], to.path],
    [['shorturl'], to.address],
    [['url', 'longurl'], to.urlTo('desktop_url')],
    [['title'], to.textTo('title')],
    [['timestamp', 'date'], to.createdAt],
    [['clicks'], to.clicks],
    [['ip'], to.noPlace],
  ],
  { required: 'url', texts: ['keyword'] },
);
