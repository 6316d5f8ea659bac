import * as to from './field-readers';
import { shortUrl } from './short-url';
import { type Cell, parseJson } from './source-cells';
import { TableSource, withoutPlace } from './table-source';
import { createdAt } from './time-readers';

/** Takes the address on a host of the project, because it can stay; otherwise a custom one. The others are reported. */
const addresses: to.Reader = (custom, draft, cells) => {
  const list = parseJson(custom.value);
  const entries: unknown[] = Array.isArray(list) ? list : String(list).split(',');
  const generated = to.firstOf(cells, 'link', 'id');
  const all = [...entries.map((value): Cell => ({ field: custom.field, value })), ...(generated ? [generated] : [])];
  const chosen = all.find(({ value }) => draft.context.hosts.has(shortUrl.tryParse(value)?.host ?? '')) ?? all[0];
  if (!chosen) return draft.report(custom);
  to.address(chosen, draft, cells);
  for (const other of all) if (other !== chosen) draft.report(other);
};

/** Leaves the address to the field with all of them. */
const unlessCustom = to.unless('custom_bitlinks', to.address);

export const bitly = new TableSource(
  'bitly',
  [
    [['custom_bitlinks', 'Custom Link'], addresses],
    [['link', 'shorturl', 'short_link'], unlessCustom],
    [['id'], unlessCustom],
    [['long_url', 'longurl', 'destination', 'Destination URL'], to.urlTo('desktop_url')],
    [['title'], to.textTo('title')],
    [['tags'], to.tags],
    [['archived'], to.flagTo('archived')],
    [['created_at', 'created', 'Date created'], createdAt],
    [['clicks', 'total_clicks', 'Engagements'], to.clicks],
    [['status'], to.status],
    ...withoutPlace('created_by', 'client_id', 'deeplinks', 'campaign_ids', 'references'),
  ],
  { required: 'long_url' },
);
