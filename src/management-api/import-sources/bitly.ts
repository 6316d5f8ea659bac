import {
  address,
  clicks,
  createdAt,
  firstOf,
  flag,
  noPlace,
  type Reader,
  status,
  tags,
  text,
  url,
} from './field-readers';
import { shortUrl } from './short-url';
import { type Cell, parseJson } from './source-cells';
import { TableSource } from './table-source';

/** Takes the address on a host of the project, because it can stay; otherwise a custom one. The others are reported. */
const addresses: Reader = (custom, draft, cells) => {
  const list = parseJson(custom.value);
  const given: unknown[] = Array.isArray(list) ? list : String(list).split(',');
  const generated = firstOf(cells, 'link', 'id');
  const all = [...given.map((value): Cell => ({ field: custom.field, value })), ...(generated ? [generated] : [])];
  const chosen = all.find(({ value }) => draft.context.hosts.has(shortUrl.tryParse(value)?.host ?? '')) ?? all[0];
  if (!chosen) return draft.report(custom);
  address(chosen, draft, cells);
  for (const other of all) if (other !== chosen) draft.report(other);
};

/** Leaves the address to the field with all of them. */
const unlessCustom: Reader = (cell, draft, cells) => {
  if (!cells.has('custom_bitlinks')) address(cell, draft, cells);
};

export const bitly = new TableSource(
  'bitly',
  [
    [['custom_bitlinks', 'Custom Link'], addresses],
    [['link', 'shorturl', 'short_link'], unlessCustom],
    [['id'], unlessCustom],
    [['long_url', 'longurl', 'destination', 'Destination URL'], url('desktop_url')],
    [['title'], text('title')],
    [['tags'], tags],
    [['archived'], flag('archived')],
    [['created_at', 'created', 'Date created'], createdAt],
    [['clicks', 'total_clicks', 'Engagements'], clicks],
    [['status'], status],
    [['created_by'], noPlace],
    [['client_id'], noPlace],
    [['deeplinks'], noPlace],
    [['campaign_ids'], noPlace],
    [['references'], noPlace],
  ],
  { required: 'long_url' },
);
