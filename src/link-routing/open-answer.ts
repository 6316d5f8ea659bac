import { asObject } from '../links/dynamic-links/referrer-params';
import type { LinkHosts } from '../links/link-paths/link-hosts';
import { decideAnswer } from './destination';
import type { VisitedLink, VisitedProject } from './visited-link';
import { visitorOf } from './visitor';
import { forwardedQuery } from './visitor-query';

/** A computer, because the destination is for the app's web view, or for its fallback. */
const desktop = visitorOf({ userAgent: undefined, clientHint: undefined });

/**
 * Returns what an app gets that sends a URL of the link; null if the link is disabled. Its destination is that of a desktop visitor,
 * null if the link has none for computers.
 * @param visitorQuery the query of the URL without the reserved parameters
 */
export function openAnswer(hosts: LinkHosts, project: VisitedProject, link: VisitedLink, visitorQuery: string) {
  const answer = decideAnswer(project, link, desktop, forwardedQuery(project, link, visitorQuery), false);
  if (answer.kind === 'disabled') return null;
  const otherScheme = answer.kind === 'other-scheme' ? answer.destination : null;
  return {
    path: link.customPath,
    full_url: hosts.urlOf(project, link.customPath),
    external_id: link.externalId,
    destination: answer.kind === 'redirect' ? answer.location : otherScheme,
    referrer_params: link.referrerParams.length > 0 ? asObject(link.referrerParams) : null,
    params: paramsOf(visitorQuery),
    app_data: link.appData === null ? null : (JSON.parse(link.appData) as object),
  };
}

/** Returns the values of parameters by name: a text, or an array of texts if the name repeats. */
function paramsOf(query: string): Record<string, string | string[]> {
  const params = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const former = params.get(name);
    if (Array.isArray(former)) former.push(value);
    else params.set(name, former === undefined ? value : [former, value]);
  }
  return Object.fromEntries(params);
}
