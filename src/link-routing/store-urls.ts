import type { ReferrerParams } from '../management-api/dynamic-links/referrer-params';
import { reservedParameters } from '../management-api/link-paths/reserved-parameters';
import { inOneQuery, mergedPairs } from './query-merge';

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
  const { token: name } = reservedParameters;
  // The app takes the first one of the name: a link's own parameter must not stand in front of the token.
  const pairs = mergedPairs('', params, visitorQuery).filter((pair) => token === null || pair.name !== name);
  if (token !== null) pairs.push({ name, text: `${name}=${token}` });
  const referrer = encodeURIComponent(inOneQuery(pairs));
  return `https://play.google.com/store/apps/details?id=${encodeURIComponent(packageName)}${referrer && '&referrer='}${referrer}`;
}
