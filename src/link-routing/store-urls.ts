import type { ReferrerParams } from '../management-api/dynamic-links/referrer-params';
import { reservedParameters } from '../management-api/link-paths/reserved-parameters';
import { toQuery, mergeParameters } from './query-merge';

/** Parameters that App Store pages accept: App Analytics campaigns (`pt`, `ct`, `mt`) and the affiliate programme (`at`). */
const appStoreParameters = new Set(['pt', 'ct', 'mt', 'at']);

export function appStoreUrl(storeId: string, params: ReferrerParams, visitorQuery: string): string {
  const pairs = mergeParameters('', params, visitorQuery).filter(({ name }) => appStoreParameters.has(name));
  const query = toQuery(pairs);
  return `https://apps.apple.com/app/id${encodeURIComponent(storeId)}${query && '?'}${query}`;
}

/**
 * Puts the parameters into `referrer`, which the installed app reads through the Play Install Referrer API.
 * @param token the token of the deferred deep link, or null
 */
export function playStoreUrl(
  packageName: string,
  params: ReferrerParams,
  visitorQuery: string,
  token: string | null,
): string {
  const { token: name } = reservedParameters;
  // The app reads the first parameter of this name, so the link's parameters of that name are dropped.
  const pairs = mergeParameters('', params, visitorQuery).filter((pair) => token === null || pair.name !== name);
  if (token !== null) pairs.push({ name, text: `${name}=${token}` });
  const referrer = encodeURIComponent(toQuery(pairs));
  return `https://play.google.com/store/apps/details?id=${encodeURIComponent(packageName)}${referrer && '&referrer='}${referrer}`;
}
