import { builtInEscapes, type EscapeTable, waysOutOf } from './browser-escapes';
import type { EmbeddedBrowser } from './embedded-browser';

/** How often a way was offered lately, and how many visitors arrived outside the app. Fractions, because earlier ones lose weight. */
export interface CountedEscape extends EmbeddedBrowser {
  way: string;
  offers: number;
  arrivals: number;
}

export interface MeasuredEscape extends CountedEscape {
  /** Offers since the last arrival. */
  sinceArrival: number;
}

/** A way is measured with so many offers. */
export const minOffers = 50;

/** Another way than the preferred one gets every tenth offer of a version until it is measured, and every fiftieth afterwards. */
export const offersPerTry = { unmeasured: 10, measured: 50 };

const keyOf = ({ app, platform, version, system }: EmbeddedBrowser, way: string): string =>
  `${app} ${platform} ${version} ${system} ${way}`;

/** Returns the name of all versions together. */
export const ofAllVersions = (browser: EmbeddedBrowser): EmbeddedBrowser => ({ ...browser, version: 0, system: 0 });

export interface ChosenEscape {
  way: string;
  /** The address in the table. */
  address: string;
  /** It is the only one, the first one of several, or another one because of the shares. */
  reason: 'only' | 'first' | 'measured';
}

/** Holds the table of ways out, and what visits have shown about them. Both are replaced as a whole. */
export class BrowserEscapes {
  table: EscapeTable = builtInEscapes;
  #counted: readonly MeasuredEscape[] = [];
  #byKey: ReadonlyMap<string, CountedEscape> = new Map();

  get counted(): readonly MeasuredEscape[] {
    return this.#counted;
  }

  set counted(counted: readonly MeasuredEscape[]) {
    this.#counted = counted;
    this.#byKey = new Map(counted.map((one) => [keyOf(one, one.way), one]));
  }

  /** Returns how often ways were offered to the version lately. */
  offersTo(browser: EmbeddedBrowser): number {
    const offers = this.waysOutOf(browser).map((way) => this.#byKey.get(keyOf(browser, way))?.offers ?? 0);
    return offers.reduce((sum, one) => sum + one, 0);
  }

  waysOutOf(browser: EmbeddedBrowser): string[] {
    return waysOutOf(this.table, browser);
  }

  /**
   * Returns the way that a page offers; null if none is known.
   * @param turn the number of measured offers to this version before; null for the preferred way
   */
  offerTo(browser: EmbeddedBrowser, turn: number | null): ChosenEscape | null {
    const ways = this.waysOutOf(browser);
    const shareOf = (way: string) => this.shareOf(browser, way);
    const way = turn === null ? preferredWay(ways, shareOf) : offeredWay(ways, shareOf, turn);
    if (way === undefined) return null;
    const reason = ways.length === 1 ? 'only' : way === ways[0] ? 'first' : 'measured';
    return { way, address: this.table.ways[way]!, reason };
  }

  /** Returns the share of offers that visitors arrived by: of the version, or of all versions until it is measured; null if neither is. */
  shareOf(browser: EmbeddedBrowser, way: string): number | null {
    for (const kind of [browser, ofAllVersions(browser)]) {
      const count = this.#byKey.get(keyOf(kind, way));
      if (count && count.offers >= minOffers) return Math.min(1, count.arrivals / count.offers);
    }
    return null;
  }
}

type Shares = (way: string) => number | null;

/**
 * Returns the first way whose share is at least half of the best one. A way that is not measured stays in its place, and one by which
 * nobody arrives leaves it to all others.
 */
export function preferredWay(ways: readonly string[], shareOf: Shares): string | undefined {
  const best = Math.max(...ways.map((way) => shareOf(way) ?? 0));
  const isGood = (share: number | null) => share === null || (share > 0 && share >= best / 2);
  return ways.find((way) => isGood(shareOf(way))) ?? ways[0];
}

/**
 * Returns the preferred way, or at some turns another one, so that all are measured.
 * @param turn the number of measured offers to this version before
 */
export function offeredWay(ways: readonly string[], shareOf: Shares, turn: number): string | undefined {
  const preferred = preferredWay(ways, shareOf);
  const others = ways.filter((way) => way !== preferred);
  const unmeasured = others.filter((way) => shareOf(way) === null);
  const tried = (tries: readonly string[], every: number): string | undefined =>
    turn % every === every - 1 ? tries[Math.floor(turn / every) % tries.length] : undefined;
  return tried(unmeasured, offersPerTry.unmeasured) ?? tried(others, offersPerTry.measured) ?? preferred;
}

/** A way that the table offers to a version whose visitors hardly ever arrive. */
export interface DroppedEscape extends MeasuredEscape {
  /** The way that visitors of the version get; the same one if there is no better one. */
  preferred: string;
}

/**
 * So many arrivals must be expected by the share of all versions. Chance alone explains their absence once in 22,000 arrivals, and less than
 * a quarter of them in one of 59,000 versions.
 */
const minExpectedArrivals = { absent: 10, few: 20 };

/** A smaller usual share counts as this one, because it decreases where a way has stopped in all versions. */
const minUsualShare = 0.01;

/** Returns the ways of the table by which nobody arrives any more, or less than a quarter of the usual share. */
export function droppedEscapes(escapes: BrowserEscapes): DroppedEscape[] {
  return escapes.counted.flatMap((counted) => {
    const { offers, arrivals, sinceArrival, way } = counted;
    const usualShare = escapes.shareOf(ofAllVersions(counted), way) ?? 0;
    const isSilent = sinceArrival * Math.max(usualShare, minUsualShare) >= minExpectedArrivals.absent;
    const isFarBelow = offers * usualShare >= minExpectedArrivals.few && arrivals / offers < usualShare / 4;
    const ways = isSilent || isFarBelow ? escapes.waysOutOf(counted) : [];
    if (!ways.includes(way)) return [];
    const preferred = preferredWay(ways, (one) => escapes.shareOf(counted, one))!;
    return [{ ...counted, preferred }];
  });
}
