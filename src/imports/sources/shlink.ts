import * as to from './field-readers';
import type { UrlTarget } from './link-draft';
import { type Cell, isObject, parseJson } from './source-cells';
import { TableSource, withoutPlace } from './table-source';

const targets = new Map<unknown, UrlTarget>([
  ['ios', 'ios_fallback_url'],
  ['android', 'android_fallback_url'],
]);

/** Takes the rules whose only condition is a device of iOS or Android. The others are reported. */
const redirectRules: to.Reader = (cell, draft) => {
  const rules = parseJson(cell.value);
  if (!Array.isArray(rules)) return draft.report(cell);
  for (const rule of rules as unknown[]) {
    const one: Cell = { ...cell, value: rule };
    const target = targets.get(deviceOf(rule));
    if (target && !draft.has(target)) draft.url(target, { ...cell, value: (rule as { longUrl: unknown }).longUrl });
    else draft.report(one);
  }
};

/** Returns the device of a rule with one condition; undefined for other rules. */
function deviceOf(rule: unknown): unknown {
  if (!isObject(rule) || !Array.isArray(rule.conditions) || rule.conditions.length !== 1) return undefined;
  const condition: unknown = rule.conditions[0];
  return isObject(condition) && condition.type === 'device' ? condition.matchValue : undefined;
}

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
    [['dateCreated', 'created at'], to.createdAt],
    [['visitsSummary.total', 'visitsCount', 'visits'], to.clicks],
    ...withoutPlace('visitsSummary.nonBots', 'visitsSummary.bots', 'meta.validSince', 'meta.validUntil'),
    ...withoutPlace('meta.maxVisits', 'crawlable'),
    [['forwardQuery'], to.forwarding],
    [['hasRedirectRules'], hasRedirectRules],
  ],
  {
    required: 'longUrl',
    texts: ['shortCode'],
    nested: { meta: {}, visitsSummary: {}, deviceLongUrls: {} },
  },
);
