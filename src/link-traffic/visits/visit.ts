import type { IncomingMessage } from 'node:http';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { Answer } from '../../link-routing/answers/answer';
import type { ParsedVisit } from '../../link-routing/answers/answer-contents';
import { isOwnApp } from '../../link-routing/answers/destination';
import { type LongLink, longLinkPath } from '../../link-routing/visited-link/long-link';
import type { VisitedLink, VisitedProject } from '../../link-routing/visited-link/visited-link';
import { resolveIpad, type Visitor, visitorOf } from '../../link-routing/visitor/visitor';
import type { CachedLink, CachedProject } from '../resolving/cached-models';

export interface Visit {
  project: CachedProject;
  link: CachedLink;
  /** The requested path, percent-decoded: a custom path or a slug. */
  path: LinkPath;
  /** The query without `?`, as sent. */
  query: string;
  /** The parameters of a long link; absent for a stored link. */
  longQuery?: string;
}

/** A page, a redirect, or the refusal of a prefetch. */
export type VisitAnswer = Answer['kind'] | 'prefetch' | 'expired' | 'locked';

/** A visit of `/` with a long link in its query. */
export type LongLinkVisit = Omit<Visit, 'link' | 'path'>;

/** Returns the visit of a long link, which is not stored. */
export const visitOfLongLink = (visit: LongLinkVisit, { link, longQuery }: LongLink): Visit => ({
  ...visit,
  link: { ...link, ...unstored },
  path: longLinkPath as LinkPath,
  longQuery,
});

const unstored = {
  rules: null,
  variants: null,
  isSplit: false,
  templateId: null,
  version: 0,
  quarterSerial: 0,
  numberInQuarter: 0,
};

/** A visit whose answer needs its request. */
export interface RequestedVisit extends ParsedVisit {
  project: CachedProject;
  link: CachedLink;
  /** Name of the variant that the answer leads to; null without one. */
  variant: string | null;
  request: IncomingMessage;
}

/** Returns the visitor by the headers of the request. */
export function visitorOfVisit(
  request: IncomingMessage,
  { project, link }: { project: VisitedProject; link: VisitedLink | null },
  via: string | null,
): Visitor {
  const { headers } = request;
  const requestedWith = headers['x-requested-with'] as string | undefined;
  const visitor = visitorOf({
    userAgent: headers['user-agent'],
    clientHint: headers['sec-ch-ua-platform'] as string | undefined,
    requestedWith: link && isOwnApp(requestedWith, project, link) ? undefined : requestedWith,
  });
  return resolveIpad(visitor, via);
}

/** Returns the visitor, whom no page sends on to see whether this is an iPad, because the link would ask again. */
export const withoutIpad = (visitor: Visitor): Visitor => ({ ...visitor, macintosh: false });
