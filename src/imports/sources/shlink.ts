import * as to from './field-readers';
import { redirectRules } from './shlink-rules';
import { TableSource, withoutPlace } from './table-source';
import { createdAt, momentTo } from './time-readers';

/** Reports rules that the record does not contain, because Shlink has them at another address. */
const hasRedirectRules: to.Reader = (cell, draft, cells) => {
  if (!cells.has('redirectRules')) to.noPlace(cell, draft, cells);
};

export const shlink = new TableSource(
  'shlink',
  [
    [['shortUrl', 'Short URL'], to.address],
    [['domain'], to.host],
    [['shortCode', 'Short code'], to.path],
    [['longUrl', 'Long URL'], to.urlTo('desktop_url')],
    [['deviceLongUrls.ios'], to.urlTo('ios_fallback_url')],
    [['deviceLongUrls.android'], to.urlTo('android_fallback_url')],
    [['deviceLongUrls.desktop'], to.noPlace],
    [['redirectRules'], redirectRules],
    [['title'], to.textTo('title')],
    [['tags'], to.tags],
    [['dateCreated', 'created at'], createdAt],
    [['visitsSummary.total', 'visitsCount', 'visits'], to.clicks],
    [['meta.validSince'], momentTo('active_from')],
    [['meta.validUntil'], momentTo('active_until')],
    [['meta.maxVisits'], to.clicksLeft('visitsSummary.total')],
    ...withoutPlace('visitsSummary.nonBots', 'visitsSummary.bots', 'crawlable'),
    [['forwardQuery'], to.forwarding],
    [['hasRedirectRules'], hasRedirectRules],
  ],
  {
    required: 'longUrl',
    texts: ['shortCode'],
    nested: { meta: {}, visitsSummary: {}, deviceLongUrls: {} },
  },
);
