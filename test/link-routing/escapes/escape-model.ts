import type { EscapeTable } from '../../../src/link-routing/escapes/browser-escapes';
import type { EmbeddedBrowser } from '../../../src/link-routing/escapes/embedded-browser';
import {
  BrowserEscapes,
  droppedEscapes,
  type MeasuredEscape,
  ofAllVersions,
} from '../../../src/link-routing/escapes/escape-choice';

/** Visitors of one version after another. Every share of offers arrives at equal distances, so that nothing depends on chance. */
export class VersionModel {
  readonly #escapes = new BrowserEscapes();
  readonly #counts = new Map<string, MeasuredEscape>();
  readonly #due = new Map<string, number>();
  readonly #turns = new Map<number, number>();

  constructor(
    table: EscapeTable,
    public browser: EmbeddedBrowser,
    public shares: Record<string, number>,
  ) {
    this.#escapes.table = { ...table, rows: table.rows.filter(({ way }) => way in shares) };
  }

  get preferred(): string {
    return this.#escapes.offerTo(this.browser, null)!.way;
  }

  get dropped(): string[] {
    return droppedEscapes(this.#escapes).map(({ way }) => way);
  }

  visit(times: number): void {
    for (let visits = 0; visits < times; visits++) this.#visitOnce();
  }

  /** Returns the number of visits until the way is preferred. */
  visitsUntil(way: string): number {
    let visits = 0;
    while (this.preferred !== way && visits < 100_000) {
      this.#visitOnce();
      visits++;
    }
    return visits;
  }

  #visitOnce(): void {
    const { version } = this.browser;
    const turn = this.#turns.get(version) ?? 0;
    this.#turns.set(version, turn + 1);
    const { way } = this.#escapes.offerTo(this.browser, turn)!;
    const due = (this.#due.get(way) ?? 0) + this.shares[way]!;
    const arrivals = Math.floor(due + 1e-9);
    this.#due.set(way, due - arrivals);
    this.#add(this.browser, way, arrivals, 400);
    this.#add(ofAllVersions(this.browser), way, arrivals, 4000);
    this.#escapes.counted = [...this.#counts.values()];
  }

  /** Adds an offer as `count_browser_escapes` does. */
  #add(browser: EmbeddedBrowser, way: string, arrivals: number, max: number): void {
    const key = `${browser.version} ${way}`;
    const before = this.#counts.get(key) ?? { offers: 0, arrivals: 0, sinceArrival: 0 };
    const sum = { offers: before.offers + 1, arrivals: before.arrivals + arrivals };
    const factor = sum.offers >= max ? max / 2 / sum.offers : 1;
    const sinceArrival = arrivals > 0 ? 0 : before.sinceArrival + 1;
    const scaled = { offers: sum.offers * factor, arrivals: sum.arrivals * factor };
    this.#counts.set(key, { ...browser, way, ...scaled, sinceArrival });
  }
}
