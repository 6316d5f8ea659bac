import type { OpenedLink } from '../clicks/click';
import type { VisitedLink } from '../link-routing/visited-link';

/** A link in the cache of link traffic: the read model of routing, and the slot of the click batch. */
export interface CachedLink extends VisitedLink, OpenedLink {}
