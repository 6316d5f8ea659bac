import type { IncomingMessage } from 'node:http';
import type { Click, OpenedLink } from '../../clicks/recording/click';
import type { ClientAddresses } from '../../platform/http/client-address';
import type { ChangeListener } from '../../platform/change-notifications/change-listener';
import type { Clock } from '../../shared/clock';
import type { CountryDatabase } from './country-database';
import { OfferedEscapes } from './offered-escapes';
import { referringHost } from '../../link-routing/visitor/referring-host';
import { continuationOf } from '../../link-routing/visitor/continuation';
import type { Visitor } from '../../link-routing/visitor/visitor';
import type { CachedLink, CachedProject } from '../resolving/cached-models';

/** A user-assigned code of ISO 3166-1 that CDNs send for an unknown country. */
const unknownCountry = 'XX';

/** The parts of a visit that a click has. A long link has its parameters. */
interface Clicked {
  project: CachedProject;
  link: CachedLink;
  longQuery?: string;
}

/** Returns the link that a click on the visit counts for. */
export const clickedLinkOf = ({ project, link, longQuery }: Clicked): OpenedLink =>
  longQuery === undefined ? link : project.longLinks;

export class ClickReader {
  readonly #escapes: OfferedEscapes;

  /**
   * @param countryHeader lower-case name of the header in which trusted proxies send the visitor's country, if any
   * @param countries looks up the visitors whose country no header states; null without a file
   */
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly countryHeader: string | undefined,
    private readonly clock: Clock,
    private readonly changeListener: Pick<ChangeListener, 'clockDifferenceMs'>,
    private readonly countries: Pick<CountryDatabase, 'countryOf'> | null = null,
  ) {
    this.#escapes = new OfferedEscapes(clock);
  }

  /** Notes that a page offers the way out of an in-app browser, so that the visit in the other browser does not count. */
  offerEscape(visit: Clicked, request: IncomingMessage): void {
    if (request.method === 'GET') this.#escapes.add(this.#escapeKeyOf(visit, request));
  }

  /**
   * Returns null for visits that do not count: HEAD, and continuations from a page of this service. The form of a locked link is no
   * continuation, because its page did not count.
   */
  read(visit: Clicked, visitor: Visitor, via: string | null, request: IncomingMessage): Click | null {
    const isForm = request.method === 'POST';
    if (!isForm && (request.method !== 'GET' || this.#isContinuation(visit, visitor, via, request))) return null;
    return {
      at: this.now(),
      projectId: visit.project.id,
      link: clickedLinkOf(visit),
      client: visitor,
      referrer: referringHost(request.headers.referer),
      country: this.countryOf(request),
      qr: via === 'qr',
    };
  }

  /** Returns milliseconds since 1970 by the clock of the database, because lists and statistics compare it. */
  now(): number {
    return this.clock.now() + this.changeListener.clockDifferenceMs;
  }

  countryOf(request: IncomingMessage): string | null {
    const stated = this.#statedCountryOf(request);
    if (stated !== null || this.countries === null) return stated;
    const address = this.addresses.addressOf(request);
    return address === null ? null : this.countries.countryOf(address);
  }

  #statedCountryOf(request: IncomingMessage): string | null {
    if (this.countryHeader === undefined) return null;
    const value = request.headers[this.countryHeader];
    if (typeof value !== 'string' || !/^[A-Za-z]{2}$/.test(value)) return null;
    if (!this.addresses.comesFromTrustedProxy(request)) return null;
    const country = value.toUpperCase();
    return country === unknownCountry ? null : country;
  }

  /** Returns the address that a trusted proxy states, which is compared and forgotten; null without such a proxy. */
  proxiedAddressOf(request: IncomingMessage): string | null {
    return this.addresses.comesFromTrustedProxy(request) ? this.addresses.addressOf(request) : null;
  }

  /**
   * Returns whether the visitor comes from a page of this service and was counted there. A link host has no other pages, so
   * `Sec-Fetch-Site: same-origin` (W3C Fetch Metadata) proves it, and “Continue” stays on the host of its page. Without this header
   * the parameter decides. With it the parameter is ignored, because the URL may have been shared. Parameters of links to the open
   * host count if another page led here, because that host has another origin. The header says nothing about a visitor who left
   * an in-app browser.
   */
  #isContinuation(visit: Clicked, { robot }: Visitor, via: string | null, request: IncomingMessage): boolean {
    const site = request.headers['sec-fetch-site'];
    if (site === 'same-origin') return true;
    const continuation = continuationOf(via);
    if (continuation === null) return false;
    // A prefetch leaves the offer to the person.
    if (continuation.leftApp) return !robot && this.#escapes.take(this.#escapeKeyOf(visit, request));
    if (site === undefined) return true;
    return (site === 'same-site' || site === 'cross-site') && continuation.crossesHosts;
  }

  #escapeKeyOf(visit: Clicked, request: IncomingMessage): string {
    return `${visit.project.id} ${clickedLinkOf(visit).id} ${this.addresses.networkOf(request)}`;
  }
}
