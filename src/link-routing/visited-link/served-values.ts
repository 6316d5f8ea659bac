import { type DestinationUrl, isWebUrl, servableDestination, servableUrl } from '../../shared/destination-url';
import type { ReferrerParams } from '../../shared/referrer-params';

/** Validates a stored URL again, so that no scheme except http and https is served, regardless of the row's origin. */
export const servedUrl = (stored: string | null): DestinationUrl | null =>
  stored === null ? null : servableUrl.tryParse(stored);

/** Validates a stored destination of a link again. It may also have a scheme that its project allowed. */
export const servedDestination = (stored: string | null): DestinationUrl | null =>
  stored === null ? null : servableDestination.tryParse(stored);

export const hasOtherSchemes = (urls: readonly (DestinationUrl | null)[]): boolean =>
  urls.some((url) => url !== null && !isWebUrl(url));

export const servedParams = (stored: unknown): ReferrerParams => (isPairs(stored) ? stored : emptyParams);

export const emptyParams: ReferrerParams = [];

const isPairs = (stored: unknown): stored is ReferrerParams =>
  Array.isArray(stored) &&
  stored.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'));
