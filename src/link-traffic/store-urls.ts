import type { ReferrerParams } from '../dynamic-links/referrer-params';
import { inOneQuery, mergedPairs } from './query-merge';
import { reservedParameters } from './visitor-query';

/** What App Store pages take: campaign links of App Analytics (`pt`, `ct`, `mt`) and of the affiliate programme (`at`). */
const appStoreParameters = new Set(['pt', 'ct', 'mt', 'at']);

export function appStoreUrl(storeId: string, params: ReferrerParams, visitorQuery: string): string {
  const pairs = mergedPairs('', params, visitorQuery).filter(({ name }) => appStoreParameters.has(name));
  const query = inOneQuery(pairs);
  return `https://apps.apple.com/app/id${encodeURIComponent(storeId)}${query && '?'}${query}`;
}

/**
 * With the parameters inside `referrer`, which the new app reads by the Play Install Referrer API.
 * @param token of the deferred deep link, if there is one
 */
export function playStoreUrl(
  packageName: string,
  params: ReferrerParams,
  visitorQuery: string,
  token: string | null,
): string {
  const pairs = mergedPairs('', params, visitorQuery);
  if (token !== null) pairs.push({ name: reservedParameters.token, text: `${reservedParameters.token}=${token}` });
  const referrer = encodeURIComponent(inOneQuery(pairs));
  return `https://play.google.com/store/apps/details?id=${encodeURIComponent(packageName)}${referrer && '&referrer='}${referrer}`;
}
