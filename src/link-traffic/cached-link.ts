import type { OpenedLink } from '../clicks/click';
import type { VisitedLink } from '../link-routing/visited-link';

/** A link in the cache of link traffic: what routing reads of it, and where click batches note that they have it. */
export interface CachedLink extends VisitedLink, OpenedLink {}
