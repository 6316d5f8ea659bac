import { reservedParameters } from '../management-api/link-paths/reserved-parameters';
import { nameOf } from './query-merge';

export interface VisitorQuery {
  /** The visitor's own parameters, as they were sent. */
  own: string;
  via: string | null;
}

const none: VisitorQuery = { own: '', via: null };

/** @param query what the URL has behind `?` */
export function readVisitorQuery(query: string): VisitorQuery {
  if (query === '') return none;
  const { via, token } = reservedParameters;
  // Percent-encoded, they still say the same to whoever reads the destination's query.
  if (!query.includes(via) && !query.includes(token) && !query.includes('%')) return { own: query, via: null };
  const pairs = query.split('&');
  const valueOf = (name: string) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  const isReserved = (pair: string) => [via, token].includes(nameOf(pair));
  return { own: pairs.filter((pair) => !isReserved(pair)).join('&'), via: valueOf(via) };
}

/** The visitor has been on one of our pages and wants to go on. */
export const isFromOurPage = (via: string | null): boolean => via === 'page' || via === 'ipad-page';
