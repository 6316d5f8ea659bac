import type { OpenedLink } from '../clicks/recording/click';
import type { VisitedLink } from '../link-routing/visited-link';

/** A link in the cache of link traffic: the read model of routing, and the slot of the click batch. */
export interface CachedLink extends VisitedLink, OpenedLink {
  /** Differs each time that the link is read, so that pages of an earlier state are not reused. */
  readonly version: number;
}

/** The length of a UUID. */
const idChars = 36;

/** Returns the cache key of a link; change notifications use the same format. */
export const keyOf = (projectId: string, path: string): string => `${projectId}/${path}`;

export const projectIdOf = (key: string): string => key.slice(0, idChars);

export const pathOf = (key: string): string => key.slice(idChars + 1);
