import { reservedParameters } from '../management-api/link-paths/reserved-parameters';
import { parameterNameOf } from './query-merge';

export interface VisitorQuery {
  /** The query without the reserved parameters, as sent. */
  visitorQuery: string;
  via: string | null;
}

const emptyQuery: VisitorQuery = { visitorQuery: '', via: null };

/** Separates the reserved parameters from the visitor's. `query` has no leading `?`. */
export function readVisitorQuery(query: string): VisitorQuery {
  if (query === '') return emptyQuery;
  const { via, token } = reservedParameters;
  // A percent-encoded reserved name must be removed too, because the destination decodes it.
  if (!query.includes(via) && !query.includes(token) && !query.includes('%')) return { visitorQuery: query, via: null };
  const pairs = query.split('&');
  const valueOf = (name: string) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  const isReserved = (pair: string) => [via, token].includes(parameterNameOf(pair));
  return { visitorQuery: pairs.filter((pair) => !isReserved(pair)).join('&'), via: valueOf(via) };
}

const fromPage = new Set(['page', 'ipad-page', 'open', 'ipad-open']);

/**
 * Returns whether the visitor continues from an interstitial page of this service. Such a visitor is not offered the app again,
 * so that pages on two hosts cannot lead to each other.
 */
export const isFromOurPage = (via: string | null): boolean => via !== null && fromPage.has(via);
