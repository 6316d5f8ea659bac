import type { AndroidStore } from '../../links/apps/android-identifiers';
import type { ReferrerParams } from '../../shared/referrer-params';
import { reservedParameters } from '../../link-paths/paths/reserved-parameters';
import {
  decodeName,
  merge,
  mergeParameters,
  pairsOf,
  pairsOfLink,
  partsOf,
  type QueryPair,
  toQuery,
} from '../visited-link/query-merge';

/**
 * Parameters that App Store pages accept. `pt`, `ct` and `mt` are of App Analytics, `at` of the affiliate programme, `ppid` of custom
 * product pages, and `eventid` of events in the app.
 */
const appStoreParameters = new Set(['pt', 'ct', 'mt', 'at', 'ppid', 'eventid']);

/** Parameters that Play Store pages read themselves: custom store listings, language and country. */
const playStoreParameters = new Set(['listing', 'hl', 'gl']);

export function appStoreUrl(storeId: string, params: ReferrerParams, visitorQuery: string): string {
  const pairs = mergeParameters('', params, visitorQuery).filter(({ name }) => appStoreParameters.has(name));
  const query = toQuery(pairs);
  return `https://apps.apple.com/app/id${encodeURIComponent(storeId)}${query && '?'}${query}`;
}

export const playStorePage = (packageName: string): string =>
  `https://play.google.com/store/apps/details?id=${encodeURIComponent(packageName)}`;

/** Returns the page of an app in another store. The app of the store opens it on devices of its vendor. */
export function androidStorePage(store: AndroidStore, id: string): string {
  const name = encodeURIComponent(id);
  switch (store) {
    case 'appgallery':
      return `https://appgallery.cloud.huawei.com/ag/n/app/${name}`;
    case 'amazon':
      return `https://www.amazon.com/gp/mas/dl/android?p=${name}`;
    case 'samsung':
      return `https://galaxystore.samsung.com/detail/${name}`;
  }
}

/** A page of an app, in normalised form. `/d` is the address for installations inside another app. */
const playStoreAppPage = /^https?:\/\/play\.google\.com\/(?:store\/apps\/details(?:\/[^?#]*)?|d)\?([^#]*)/;

/** Returns the package name of the app whose page in the Play Store the URL is; null for another URL. */
export function playStoreAppOf(url: string): string | null {
  const query = playStoreAppPage.exec(url)?.[1];
  return query === undefined ? null : new URLSearchParams(query).get('id') || null;
}

const referrerName = 'referrer';
const reservedNames = Object.values(reservedParameters);

/**
 * Merges the parameters into the `referrer` of the page, which the installed app reads through the Play Install Referrer API, or from
 * AppGallery. `playStoreParameters` replace those of the page in the Play Store. Its others stay.
 * @param page the URL of an app in the Play Store or in AppGallery
 * @param token the token of the deferred deep link, or null
 */
export function playStoreUrl(page: string, params: ReferrerParams, visitorQuery: string, token: string | null): string {
  if (params.length === 0 && visitorQuery === '' && token === null) return page;
  const { token: tokenName } = reservedParameters;
  const { base, query, fragment } = partsOf(page);
  const own = pairsOf(query);
  const isForStore = playStoreAppOf(page) === null ? () => false : isForPlayStore;
  const ofLink = pairsOfLink(params);
  const ofVisitor = pairsOf(visitorQuery);
  const outside = [
    own.filter(({ name }) => name !== referrerName),
    ofLink.filter(isForStore),
    ofVisitor.filter(isForStore),
  ];
  const inside = [
    toReferrer(own.filter(({ name }) => name === referrerName)),
    toReferrer(ofLink.filter((pair) => !isForStore(pair))),
    // A reserved parameter may be inside the visitor's `referrer`.
    toReferrer(ofVisitor.filter((pair) => !isForStore(pair))).filter(({ name }) => !reservedNames.includes(name)),
  ];
  // The app reads the first parameter of this name, so earlier parameters of that name are dropped.
  const referrer = inside.reduce(merge).filter(({ name }) => token === null || name !== tokenName);
  if (token !== null) referrer.push({ name: tokenName, text: encodeURIComponent(`${tokenName}=${token}`) });
  const texts = outside.reduce(merge).map(({ text }) => text);
  if (referrer.length > 0) texts.push(`${referrerName}=${referrer.map(({ text }) => text).join('%26')}`);
  return `${base}${texts.length > 0 ? '?' : ''}${texts.join('&')}${fragment}`;
}

const isForPlayStore = ({ name }: QueryPair): boolean => playStoreParameters.has(name);

/** Encodes the pairs once more, as parts of a `referrer`. A pair that is a `referrer` already becomes its parts, in their spelling. */
const toReferrer = (pairs: readonly QueryPair[]): QueryPair[] =>
  pairs.flatMap(({ name, text }) => {
    if (name !== referrerName) return [{ name, text: encodeURIComponent(text) }];
    const sign = text.indexOf('=');
    const parts = sign < 0 ? [] : text.slice(sign + 1).split(/%26/i);
    return parts.filter(Boolean).map((part) => ({ name: nameInReferrer(part), text: part }));
  });

/** Returns the name of a part, which is encoded twice. A value with an invalid encoding does not matter. */
const nameInReferrer = (part: string): string => decodeName(decodeName(part.split(/=|%3d/i, 1)[0]!));
