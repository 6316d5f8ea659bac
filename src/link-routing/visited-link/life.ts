import { isOwnAddress } from './own-address';
import { withParameters } from './query-merge';
import { emptyParams } from './served-values';
import type { VisitedLink, VisitedProject } from './visited-link';

/** Returns whether a moment is before, in or after the life of the link. The end is the first moment after it, or the last click. */
export function lifeAt({ activeFrom, activeUntil, lock }: VisitedLink, at: number): 'before' | 'active' | 'after' {
  if (activeFrom !== null && at < activeFrom) return 'before';
  if (lock?.isUsedUp) return 'after';
  return activeUntil !== null && at >= activeUntil ? 'after' : 'active';
}

/** Returns where visitors of a link are sent that has ended; null for a page. */
export function expiredLocation(project: VisitedProject, link: VisitedLink, visitorQuery: string): string | null {
  const own = link.expiredUrl;
  const url = own !== null && !isOwnAddress(project, link, own) ? own : project.expiredUrl;
  return url && withParameters(url, emptyParams, visitorQuery);
}
