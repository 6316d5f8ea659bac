import type { IncomingMessage } from 'node:http';
import type { OfferedEscape } from '../../link-routing/answers/answer-contents';
import { embeddedBrowserOf } from '../../link-routing/escapes/embedded-browser';
import type { BrowserEscapes, CountedEscape } from '../../link-routing/escapes/escape-choice';
import { markedEscapeOf, markedVia, markerPeriodMs } from '../../link-routing/escapes/escape-marker';
import type { Visitor } from '../../link-routing/visitor/visitor';
import type { ClientAddresses } from '../../platform/http/client-address';
import { InMemoryRateLimitStorage } from '../../platform/rate-limit/in-memory-rate-limit-storage';
import type { Clock } from '../../shared/clock';
import type { EscapeCounter } from './escape-counter';

type NamedWay = Pick<CountedEscape, 'app' | 'platform' | 'way'>;

/** Versions whose turns this process knows. Visitors choose their user agents, and a forgotten turn is read again. */
const maxVersions = 1000;

/**
 * Chooses the way out of an in-app browser, and counts offers and arrivals. Each network counts once for a way out of an app in ten
 * minutes, so that no visitor decides for all. The versions do not matter, because visitors can name any. Further pages have no marker, so
 * their arrivals do not count either.
 */
export class MeasuredEscapes {
  readonly #networks: InMemoryRateLimitStorage;
  readonly #turns = new Map<string, number>();

  /** @param counter null if visits are not recorded */
  constructor(
    private readonly escapes: BrowserEscapes,
    private readonly counter: Pick<EscapeCounter, 'count'> | null,
    private readonly addresses: Pick<ClientAddresses, 'networkOf'>,
    private readonly clock: Clock,
  ) {
    this.#networks = new InMemoryRateLimitStorage(clock);
  }

  /**
   * Returns the way that a page offers; null if none is known.
   * @param sender the visitor as its headers describe it
   * @param isPerson whether the offer counts
   */
  offer(sender: Visitor, isPerson: boolean, request: IncomingMessage): OfferedEscape | null {
    const { headers, method } = request;
    const clientHint = (headers['sec-ch-ua-platform'] as string | undefined) ?? '';
    const browser = embeddedBrowserOf(sender, headers['user-agent'] ?? '', clientHint);
    if (browser === null) return null;
    const version = Object.values(browser).join(' ');
    // A process continues at the count of all processes. From zero, one with few visitors would offer no other way before its end.
    const turn = this.#turns.get(version) ?? Math.round(this.escapes.offersTo(browser));
    const offered = this.escapes.offerTo(browser, turn);
    if (offered === null) return null;
    const { way, address } = offered;
    if (!this.counter || !isPerson || method !== 'GET' || !this.#isFirst('offer', { ...browser, way }, request))
      return { address: this.escapes.offerTo(browser, null)!.address, via: 'browser-page' };
    if (this.#turns.size >= maxVersions) this.#turns.clear();
    this.#turns.set(version, turn + 1);
    this.counter.count({ ...browser, way, offers: 1, arrivals: 0 });
    return { address, via: markedVia(way, browser, this.clock.now()) };
  }

  /** Counts a person who has left an app by a marked way. */
  arrive(via: string, { robot, inAppBrowser }: Visitor, request: IncomingMessage): void {
    // A tap on a page of this service is no arrival.
    const isOutside = !robot && !inAppBrowser && request.headers['sec-fetch-site'] !== 'same-origin';
    if (!this.counter || !isOutside || request.method !== 'GET') return;
    const marked = markedEscapeOf(via, this.escapes.table, this.clock.now());
    if (marked && this.#isFirst('arrival', marked, request)) this.counter.count({ ...marked, offers: 0, arrivals: 1 });
  }

  #isFirst(what: 'offer' | 'arrival', { app, platform, way }: NamedWay, request: IncomingMessage): boolean {
    const network = this.addresses.networkOf(request);
    return this.#networks.count(`${what} ${app} ${platform} ${way} ${network}`, markerPeriodMs) === 1;
  }
}
