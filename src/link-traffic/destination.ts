import { destinationUrl } from '../dynamic-links/destination-url';
import { withQuery } from './query-merge';
import type { VisitedLink } from './visited-link';
import type { Platform } from './visitor';

/** What a visitor gets: a redirect, or the link's own page where it has no destination for them. */
export type Answer = { redirect: string } | { landing: VisitedLink };

/** The routing table of DECISIONS section 3, as a pure function. */
export function answerFor(link: VisitedLink, platform: Platform, visitorQuery: string): Answer {
  const candidates: Record<Platform, (string | null)[]> = {
    ios: [link.iosFallbackUrl, link.desktopUrl],
    android: [link.androidFallbackUrl, link.desktopUrl],
    desktop: [link.desktopUrl],
  };
  for (const candidate of candidates[platform]) {
    // Checked again: whatever wrote the row, no other scheme than http and https leaves this service.
    const destination = candidate === null ? null : destinationUrl.tryParse(candidate);
    if (destination) return { redirect: withQuery(destination, link.referrerParams ?? [], visitorQuery) };
  }
  return { landing: link };
}
