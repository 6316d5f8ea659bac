import { reservedParameters } from '../../link-paths/paths/reserved-parameters';
import { parameterNameOf } from './query-merge';
import type { VisitedLink, VisitedProject } from './visited-link';

export interface VisitorQuery {
  visitorQuery: string;
  via: string | null;
}

const emptyQuery: VisitorQuery = { visitorQuery: '', via: null };

const percentInName = /(?:^|&)[^&=%]*%/;

/** Separates the reserved parameters from the visitor's. `query` has no leading `?`. */
export function readVisitorQuery(query: string): VisitorQuery {
  if (query === '') return emptyQuery;
  const { via, token } = reservedParameters;
  // A percent-encoded reserved name must be removed too, because the destination decodes it.
  if (!query.includes(via) && !query.includes(token) && !percentInName.test(query))
    return { visitorQuery: query, via: null };
  const pairs = query.split('&');
  const valueOf = (name: string) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  const isReserved = (pair: string) => [via, token].includes(parameterNameOf(pair));
  return { visitorQuery: pairs.filter((pair) => !isReserved(pair)).join('&'), via: valueOf(via) };
}

type Forwarding = Pick<VisitedLink, 'queryForwarding' | 'forwardedParams'>;

/** Returns the setting of the link, or that of the project if the link has none. */
export const forwardingOf = (
  project: VisitedProject,
  link: Forwarding | null,
): Pick<VisitedProject, 'queryForwarding' | 'forwardedParams'> =>
  link !== null && link.queryForwarding !== null ? { ...link, queryForwarding: link.queryForwarding } : project;

/** Returns those of the visitor's parameters that destinations get. */
export function forwardedQuery(project: VisitedProject, link: Forwarding | null, visitorQuery: string): string {
  const { queryForwarding, forwardedParams } = forwardingOf(project, link);
  if (visitorQuery === '' || queryForwarding === 'all') return visitorQuery;
  if (queryForwarding === 'none') return '';
  const pairs = visitorQuery.split('&');
  return pairs.filter((pair) => forwardedParams.includes(parameterNameOf(pair))).join('&');
}
