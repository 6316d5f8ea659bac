import { address, clicks, createdAt, flag, host, noPlace, path, text, url } from './field-readers';
import { TableSource } from './table-source';

export const kutt = new TableSource(
  'kutt',
  [
    [['domain'], host],
    [['address'], path],
    [['link', 'shortUrl'], address],
    [['target'], url('desktop_url')],
    [['description'], text('notes')],
    [['banned'], flag('disabled')],
    [['created_at'], createdAt],
    [['visit_count'], clicks],
    [['id'], noPlace],
    [['uuid'], noPlace],
    [['password'], noPlace],
    [['expire_in'], noPlace],
    [['updated_at'], noPlace],
    [['user_id'], noPlace],
    [['domain_id'], noPlace],
  ],
  { required: 'target', texts: ['address'] },
);
