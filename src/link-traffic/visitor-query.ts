import { nameOf } from './query-merge';

/**
 * Parameters that this service adds to link URLs itself. They say how a visitor got here, are taken off again, and reach no
 * destination.
 */
export const reservedParameters = {
  /**
   * `page`: from one of our own pages, to go on. `ipad`: a page found out that the Macintosh is an iPad. `ipad-page`: both,
   * since its headers say Macintosh on every page.
   */
  via: '_via',
  /** The single-use token of a deferred deep link, for the app. */
  token: 'deferred_link',
};

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

/** The URL with one of our own parameters. */
export const marked = (url: string, name: keyof typeof reservedParameters, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${reservedParameters[name]}=${value}`;
