import {
  address,
  clicks,
  createdAt,
  forwarding,
  host,
  needsNoPlace,
  noPlace,
  path,
  type Reader,
  tags,
  text,
  url,
} from './field-readers';
import { TableSource } from './table-source';

/** Reports a status other than that of a working link. */
const status: Reader = (cell, draft) => {
  if (cell.value !== 'active') draft.report(cell);
};

export const rebrandly = new TableSource(
  'rebrandly',
  [
    [['domain.fullName', 'domainName', 'domain'], host],
    [['slashtag'], path],
    [['shortUrl', 'short url', 'link'], address],
    [['destination', 'destination url'], url('desktop_url')],
    [['title'], text('title')],
    [['description', 'note'], text('notes')],
    [['tags'], tags],
    [['createdAt', 'created at'], createdAt],
    [['clicks'], clicks],
    [['status'], status],
    [['forwardParameters'], forwarding],
    [['https'], needsNoPlace],
    [['domain.id', 'domainId'], noPlace],
    [['domain.ref'], noPlace],
    [['id'], noPlace],
    [['updatedAt'], noPlace],
    [['lastClickDate', 'lastClickAt'], noPlace],
    [['isPublic'], noPlace],
    [['favourite', 'favorite'], noPlace],
    [['scripts'], noPlace],
  ],
  { required: 'destination', nested: { domain: {} } },
);
