import type { IncomingMessage } from 'node:http';
import type { Click, OpenedLink } from '../clicks/click';
import type { ClientAddresses } from '../platform/http/client-address';
import type { Clock } from '../shared/clock';
import { referringHost } from './referring-host';
import type { VisitedProject } from '../link-routing/visited-link';
import type { Visitor } from '../link-routing/visitor';

/** Parameters of `_via` that only our own pages write. */
const fromOurPages = new Set(['page', 'ipad', 'ipad-page']);

/** What stands for "not known" among the codes that ISO 3166 leaves to its users. */
const unknownCountry = 'XX';

/** Reads off a visit what is counted of it. */
export class ClickReader {
  /** @param countryHeader in lower case, in which trusted proxies state the visitor's country; undefined where none does */
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly countryHeader: string | undefined,
    private readonly clock: Clock,
  ) {}

  /** Null for a visit that is none to count: a HEAD, or somebody who only goes on from one of our pages. */
  read(
    project: VisitedProject,
    link: OpenedLink,
    visitor: Visitor,
    via: string | null,
    request: IncomingMessage,
  ): Click | null {
    if (request.method !== 'GET' || goesOn(via, request)) return null;
    return {
      at: this.clock.now(),
      projectId: project.id,
      link,
      client: visitor,
      referrer: referringHost(request.headers.referer),
      country: this.countryHeader === undefined ? null : this.#countryOf(request, this.countryHeader),
      qr: via === 'qr',
    };
  }

  #countryOf(request: IncomingMessage, header: string): string | null {
    const stated = request.headers[header];
    if (typeof stated !== 'string' || !/^[A-Za-z]{2}$/.test(stated)) return null;
    if (!this.addresses.comesFromTrustedProxy(request)) return null;
    const country = stated.toUpperCase();
    return country === unknownCountry ? null : country;
  }
}

/**
 * A link host has no other pages than ours, each with its own link on it: who comes from the same origin has been counted there
 * (W3C Fetch Metadata, `Sec-Fetch-Site`). Browsers that do not say where they come from are believed by the parameter; from one
 * that does, it may be in an address that was passed on.
 */
function goesOn(via: string | null, request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return via !== null && fromOurPages.has(via);
}
