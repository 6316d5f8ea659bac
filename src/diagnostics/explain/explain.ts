import type { LinkPath } from '../../link-paths/paths/custom-path';
import { longLinkPath, readLongLink } from '../../link-routing/visited-link/long-link';
import { decodePath, meantPaths, withoutFinalSlash } from '../../link-routing/visited-link/meant-paths';
import { visitedAs } from '../../link-routing/visited-link/own-address';
import { percentEncodeNonAscii } from '../../link-routing/visited-link/query-merge';
import type { VisitedLink } from '../../link-routing/visited-link/visited-link';
import { ExplainedVisit } from './explained-visit';
import type { ExplainedPlace, Explanation } from './explanation';
import { asHeaderText, type SimulatedVisit } from './simulated-visit';

/** Explains the answer of link traffic with the same code. Issues no token and records no click. */
export function explain(place: ExplainedPlace, simulated: SimulatedVisit, link: VisitedLink): Explanation {
  const explained = new ExplainedVisit(place, simulated);
  return explained.answer({ link, path: link.customPath, visitorQuery: explained.visitorQuery });
}

/**
 * Explains a visit of a path as a person typed or pasted it.
 * @param sent the path as sent, without the leading slash
 * @param find returns the link of the first of the paths that leads to one, with the path
 */
export async function explainPath(
  place: ExplainedPlace,
  simulated: SimulatedVisit,
  sent: string,
  find: (paths: readonly LinkPath[]) => Promise<{ path: LinkPath; link: VisitedLink } | null>,
): Promise<Explanation> {
  const encoded = percentEncodeNonAscii(asHeaderText(sent));
  const asked = decodePath(withoutFinalSlash(encoded));
  const meant = meantPaths(encoded);
  const match = meant.paths.length === 0 ? null : await find(meant.paths);
  if (match === null) {
    const explained = new ExplainedVisit(place, simulated);
    explained.trace('path', 'unknown');
    return explained.notFound(encoded as LinkPath, decodePath(encoded));
  }
  const { path } = match;
  const query = [meant.query, simulated.query].filter(Boolean).join('&');
  const explained = new ExplainedVisit(place, { ...simulated, query });
  const isInOtherCase = path.toLowerCase() === asked.toLowerCase();
  explained.trace('path', path === asked ? 'exact' : isInOtherCase ? 'letter_case' : 'cut');
  const { visitorQuery } = explained;
  return explained.answer({ path, link: visitedAs(match.link, asked), visitorQuery, asked });
}

/** Explains a visit of `/` whose query may be a long link. */
export function explainLongLink(place: ExplainedPlace, simulated: SimulatedVisit): Explanation {
  const explained = new ExplainedVisit(place, simulated);
  const path = longLinkPath as LinkPath;
  const read = readLongLink(place.project, explained.visitorQuery);
  explained.trace('long_link', typeof read === 'string' ? read : 'accepted');
  return typeof read === 'string' ? explained.notFound(path, path) : explained.answer({ path, ...read });
}
