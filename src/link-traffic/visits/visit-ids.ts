import { phonePlatformOf } from '../../link-routing/answers/answer-contents';
import type { Visitor } from '../../link-routing/visitor/visitor';
import type { ClientAddresses } from '../../platform/http/client-address';
import type { InMemoryRateLimitStorage } from '../../platform/rate-limit/in-memory-rate-limit-storage';
import { rateLimitWindowMs } from '../../platform/rate-limit/rate-limit';
import type { DeferredLinksService } from '../deferred-links/deferred-links.service';
import type { ClickIds } from '../recording/click-ids';
import { clickedLinkOf } from '../recording/click-reader';
import type { RequestedVisit } from './visit';

/** The limit per network is high, because many phones share an IP address. Further visits get no token, and no click id. Tests lower it. */
export const tokenLimits = { perMinute: 600 };

/** Issues what answers contain to recognize the visit later: tokens of deferred links and click ids. */
export class VisitIds {
  constructor(
    private readonly deferredLinks: DeferredLinksService,
    private readonly clickIds: ClickIds | null,
    private readonly addresses: ClientAddresses,
    private readonly counts: InMemoryRateLimitStorage,
  ) {}

  /** Issues a token to people only, because HEAD requests and crawlers install no app. */
  issueToken({ project, link, longQuery, visitor, request }: RequestedVisit, step: 'shown' | 'store'): string | null {
    // A claim returns a stored link.
    if (longQuery !== undefined) return null;
    const phone = request.method === 'GET' ? phonePlatformOf(visitor) : null;
    if (phone === null) return null;
    if (this.counts.count(this.addresses.networkOf(request), rateLimitWindowMs) > tokenLimits.perMinute) return null;
    return this.deferredLinks.issue(phone, project.id, link.id, embeddingAppOf(visitor), step);
  }

  /** Issues a click id to people only, because HEAD requests and robots convert to nothing. */
  issueClickId(visit: RequestedVisit): string | null {
    const { project, visitor, request } = visit;
    if (this.clickIds === null || request.method === 'HEAD' || visitor.robot) return null;
    const key = `click id ${this.addresses.networkOf(request)}`;
    if (this.counts.count(key, rateLimitWindowMs) > tokenLimits.perMinute) return null;
    return this.clickIds.issue(project.id, clickedLinkOf(visit), visitor.platform, visit.variant);
  }
}

/** Returns the name of the app whose browser the visitor uses; empty for other browsers. */
const embeddingAppOf = ({ inAppBrowser, browser }: Visitor): string => (inAppBrowser ? (browser ?? '') : '');
