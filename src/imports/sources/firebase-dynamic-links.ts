import { parseUrl } from '../../shared/url';
import * as to from './field-readers';
import { type Cell, nameKey } from './source-cells';
import { TableSource, utmParams, withoutPlace } from './table-source';
import { createdAt } from './time-readers';

/**
 * Takes the deep link as the destination. If desktops had another one, phones without the app keep the deep link; it is
 * reported if all phones go to a store.
 */
const deepLink: to.Reader = (cell, draft, cells) => {
  const desktop = cells.get('ofl');
  if (!desktop || desktop.value === cell.value) return draft.url('desktop_url', cell);
  draft.url('desktop_url', desktop);
  const free = [
    ['ios_fallback_url', 'ifl', 'ios_app_id'] as const,
    ['android_fallback_url', 'afl', 'android_app_id'] as const,
  ].filter(([, fallback, app]) => !cells.has(fallback) && !draft.has(app));
  for (const [target] of free) draft.url(target, cell);
  if (free.length === 0) draft.report(cell);
};

const shortLink: to.Reader = (cell, draft, cells) => {
  // The path of a long link is generated; its URL goes on working if the project serves long links.
  if (longLinkOf(cell) === null) to.address(cell, draft, cells);
};

/**
 * Returns the parameters of a long link, `https://example.page.link/?link=…`; null for other values. Custom domains may have a path
 * before the query. A deep link can have a parameter `link` too, so with a path in the column `link`, that must be a URL.
 */
function longLinkOf({ field, value }: Cell): URLSearchParams | null {
  if (typeof value !== 'string' || !value.includes('link=')) return null;
  const long = parseUrl(value.trim());
  const target = long?.searchParams.get('link') ?? null;
  if (!long || target === null) return null;
  const isLong = long.pathname === '/' || nameKey(field) !== 'link' || parseUrl(target) !== null;
  return isLong ? long.searchParams : null;
}

const longLinkFields = new Set(['shortlink', 'longlink', 'dynamiclink', 'link']);

/** Adds the parameters of a long link as cells. A file may have long links only, even in a column `link`. */
function withLongLinks(cells: Cell[]): Cell[] {
  const names = cells.map(({ field }) => nameKey(field));
  const hasShortLink = names.some((name) => name !== 'link' && longLinkFields.has(name));
  /** The columns win over the parameters. A long link in the column `link` is no value of it. */
  const present = new Set(hasShortLink ? names : names.filter((name) => name !== 'link'));
  return cells.flatMap((cell) => {
    const key = nameKey(cell.field);
    const params = longLinkFields.has(key) && (key !== 'link' || !hasShortLink) ? longLinkOf(cell) : null;
    if (!params) return [cell];
    const added = [...params]
      .filter(([name, value]) => value !== '' && !present.has(nameKey(name)))
      .map(([field, value]): Cell => ({ field, value }));
    return key === 'link' ? added : [cell, ...added];
  });
}

export const firebaseDynamicLinks = new TableSource(
  'firebase-dynamic-links',
  [
    [['Short link', 'long link', 'dynamic link'], shortLink],
    [['apn', 'Android package name'], to.app('android')],
    [['ibi', 'iOS bundle id'], to.app('ios')],
    [['link', 'deep link'], deepLink],
    [['ofl'], to.unless('link', to.urlTo('desktop_url'))],
    [['afl'], to.urlTo('android_fallback_url')],
    [['ifl'], to.urlTo('ios_fallback_url')],
    [['st'], to.textTo('social_title')],
    [['sd'], to.textTo('social_description')],
    [['si'], to.urlTo('social_image_url')],
    ...utmParams,
    [['at', 'iTunes Connect at'], to.param('at')],
    [['ct', 'iTunes Connect ct'], to.param('ct')],
    [['mt', 'iTunes Connect mt'], to.param('mt')],
    [['pt', 'iTunes Connect pt'], to.param('pt')],
    [['Archived?'], to.flagTo('archived')],
    [['Link name', 'name'], to.textTo('name')],
    [['Creation timestamp', 'created at'], createdAt],
    [['efr'], to.needsNoPlace],
    [['ipbi'], to.sameAs('ibi')],
    [['ipfl'], to.sameAs('ifl')],
    ...withoutPlace('isi', 'ius', 'amv', 'imv'),
  ],
  { required: 'link', expand: withLongLinks },
);
