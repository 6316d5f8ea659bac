import { address, clicks, createdAt, noPlace, path, text, url } from './field-readers';
import { TableSource } from './table-source';

export const yourls = new TableSource(
  'yourls',
  [
    [['keyword'], path],
    [['shorturl'], address],
    [['url', 'longurl'], url('desktop_url')],
    [['title'], text('title')],
    [['timestamp', 'date'], createdAt],
    [['clicks'], clicks],
    [['ip'], noPlace],
  ],
  { required: 'url', texts: ['keyword'] },
);
