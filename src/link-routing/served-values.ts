import { type DestinationUrl, destinationUrl } from '../management-api/dynamic-links/destination-url';
import type { ReferrerParams } from '../management-api/dynamic-links/referrer-params';

/** Checked again: whatever wrote the row, no other scheme than http and https leaves this service. */
export const servedUrl = (stored: string | null): DestinationUrl | null =>
  stored === null ? null : destinationUrl.tryParse(stored);

export const servedParams = (stored: unknown): ReferrerParams => (isPairs(stored) ? stored : noParams);

const noParams: ReferrerParams = [];

const isPairs = (stored: unknown): stored is ReferrerParams =>
  Array.isArray(stored) &&
  stored.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'));
