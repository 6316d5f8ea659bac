import { asObject } from '../links/dynamic-links/referrer-params';
import type { LinkHosts } from '../links/link-paths/link-hosts';
import { type Answer, decideAnswer } from './destination';
import { withParameter } from './query-merge';
import type { VisitedLink, VisitedProject } from './visited-link';
import { visitorOf } from './visitor';
import { forwardedQuery } from './visitor-query';

type Redirect = Extract<Answer, { kind: 'redirect' }>;

/** A computer, because the destination is for the app's web view, or for its fallback. */
const desktop = visitorOf({ userAgent: undefined, clientHint: undefined });

/**
 * Returns what an app gets that sends a URL of the link; null if the link is disabled. Its destination is that of a desktop visitor,
 * null if the link has none for computers.
 * @param visitorQuery the query of the URL without the reserved parameters
 * @param clickId by which conversions count for the link; null if they do not
 */
export function openAnswer(
  hosts: LinkHosts,
  project: VisitedProject,
  link: VisitedLink,
  visitorQuery: string,
  clickId: string | null,
) {
  const answer = decideAnswer(project, link, desktop, forwardedQuery(project, link, visitorQuery), false);
  if (answer.kind === 'disabled') return null;
  const otherScheme = answer.kind === 'other-scheme' ? answer.destination : null;
  const redirect = answer.kind === 'redirect' ? answer : null;
  return {
    path: link.customPath,
    full_url: hosts.urlOf(project, link.customPath),
    external_id: link.externalId,
    destination: redirect ? destinationOf(redirect, clickId) : otherScheme,
    referrer_params: link.referrerParams.length > 0 ? asObject(link.referrerParams) : null,
    params: paramsOf(visitorQuery),
    app_data: link.appData === null ? null : (JSON.parse(link.appData) as object),
    click_id: clickId,
  };
}

const destinationOf = ({ location, clickIdParam }: Redirect, clickId: string | null): string =>
  clickIdParam === undefined || clickId === null ? location : withParameter(location, clickIdParam, clickId);

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
