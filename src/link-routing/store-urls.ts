import type { ReferrerParams } from '../management-api/dynamic-links/referrer-params';
import { reservedParameters } from '../management-api/link-paths/reserved-parameters';
import {
  decodeName,
  merge,
  mergeParameters,
  pairsOf,
  pairsOfLink,
  partsOf,
  type QueryPair,
  toQuery,
} from './query-merge';

/** Parameters that App Store pages accept: App Analytics campaigns (`pt`, `ct`, `mt`) and the affiliate programme (`at`). */
const appStoreParameters = new Set(['pt', 'ct', 'mt', 'at']);

export function appStoreUrl(storeId: string, params: ReferrerParams, visitorQuery: string): string {
  const pairs = mergeParameters('', params, visitorQuery).filter(({ name }) => appStoreParameters.has(name));
  const query = toQuery(pairs);
  return `https://apps.apple.com/app/id${encodeURIComponent(storeId)}${query && '?'}${query}`;
}

export const playStorePage = (packageName: string): string =>
  `https://play.google.com/store/apps/details?id=${encodeURIComponent(packageName)}`;

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
 * Merges the parameters into the `referrer` of the page, which the installed app reads through the Play Install Referrer API. The
 * other parameters of the page stay.
 * @param page the URL of an app in the Play Store
 * @param token the token of the deferred deep link, or null
 */
export function playStoreUrl(page: string, params: ReferrerParams, visitorQuery: string, token: string | null): string {
  if (params.length === 0 && visitorQuery === '' && token === null) return page;
  const { token: tokenName } = reservedParameters;
  const { base, query, fragment } = partsOf(page);
  const pairs = pairsOf(query);
  const ownReferrer = toReferrer(pairs.filter(({ name }) => name === referrerName));
  // A reserved parameter may be inside the visitor's `referrer`.
  const visitors = toReferrer(pairsOf(visitorQuery)).filter(({ name }) => !reservedNames.includes(name));
  // The app reads the first parameter of this name, so earlier parameters of that name are dropped.
  const merged = [ownReferrer, toReferrer(pairsOfLink(params)), visitors]
    .reduce(merge)
    .filter(({ name }) => token === null || name !== tokenName);
  const referrer = merged.map(({ text }) => text);
  if (token !== null) referrer.push(encodeURIComponent(`${tokenName}=${token}`));
  const kept = pairs.filter(({ name }) => name !== referrerName).map(({ text }) => text);
  const all = referrer.length === 0 ? kept : [...kept, `${referrerName}=${referrer.join('%26')}`];
  return `${base}?${all.join('&')}${fragment}`;
}

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
