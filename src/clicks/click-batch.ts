import type { Click, Client } from './click';

const quarterHour = 15 * 60_000;

/** Clicks of one project in one quarter of an hour, as they are written. What is said of them by number is numbered from 1. */
export interface ClicksOfQuarter {
  projectId: string;
  /** The first click's moment. */
  at: number;
  /** What was opened: the link, and the short link with its source, or null. */
  linkIds: string[];
  shortLinkIds: (string | null)[];
  sources: (string | null)[];
  /** Who opened it: a click by each, for all but what it opened and when. */
  visitors: Click[];
  /** Clicks that are alike but for the moment: what they opened, who they are by, and how many they are. */
  opened: number[];
  openedBy: number[];
  times: number[];
  /** When each click was, in milliseconds after `at`, or before: first those of the first that are alike, and so on. */
  moments: number[];
}

/** Clicks that are written together. What they have in common is said once: on a link that is shared a lot that is nearly all. */
export class ClickBatch {
  #size = 0;
  readonly #quarters: Quarter[] = [];
  /** Of each project the last quarter, and the one before: clocks may be put back a little. */
  #last = new Map<string, [Quarter, Quarter?]>();
  /** Of each click: its quarter, from 0, what it opened, who it was by, and when. Outside of the heap, which would have to be swept. */
  readonly #quarter: Uint16Array;
  readonly #opened: Uint16Array;
  readonly #openedBy: Uint16Array;
  readonly #moments: Int32Array;

  /** @param most clicks that it has room for, fewer than 8192 */
  constructor(readonly most: number) {
    this.#quarter = new Uint16Array(most);
    this.#opened = new Uint16Array(most);
    this.#openedBy = new Uint16Array(most);
    this.#moments = new Int32Array(most);
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.most;
  }

  add(click: Click): void {
    const quarter = this.#quarterOf(click);
    const place = this.#size++;
    this.#quarter[place] = quarter.place;
    this.#opened[place] = quarter.numberOfOpened(click);
    this.#openedBy[place] = quarter.numberOfVisitor(click);
    this.#moments[place] = click.at - quarter.at;
  }

  /** Nothing is added any more: what was needed for that takes memory. */
  seal(): void {
    for (const quarter of this.#quarters) quarter.seal();
    this.#last = new Map();
  }

  rows(): ClicksOfQuarter[] {
    const rows = this.#quarters.map(({ projectId, at, linkIds, shortLinkIds, sources, visitors }): ClicksOfQuarter => {
      return {
        projectId,
        at,
        linkIds,
        shortLinkIds,
        sources,
        visitors,
        opened: [],
        openedBy: [],
        times: [],
        moments: [],
      };
    });
    // Sorted as plain numbers, of four times 13 bits, those that are alike are beside each other, in the order that they came in.
    const sorted = new Float64Array(this.#size);
    for (let click = 0; click < this.#size; click++)
      sorted[click] =
        ((this.#quarter[click]! * 2 ** 13 + this.#opened[click]!) * 2 ** 13 + this.#openedBy[click]!) * 2 ** 13 + click;
    sorted.sort();
    let last = -1;
    for (const number of sorted) {
      const click = number % 2 ** 13;
      const { opened, openedBy, times, moments } = rows[this.#quarter[click]!]!;
      const alike = Math.floor(number / 2 ** 13);
      if (alike !== last) {
        opened.push(this.#opened[click]!);
        openedBy.push(this.#openedBy[click]!);
        times.push(0);
        last = alike;
      }
      times[times.length - 1]!++;
      moments.push(this.#moments[click]!);
    }
    return rows;
  }

  #quarterOf({ projectId, at }: Click): Quarter {
    const [last, before] = this.#last.get(projectId) ?? [];
    if (last?.holds(at)) return last;
    if (before?.holds(at)) return before;
    const quarter = new Quarter(this.#quarters.length, projectId, at);
    this.#last.set(projectId, [quarter, last]);
    this.#quarters.push(quarter);
    return quarter;
  }
}

/** What was opened in a project in a quarter of an hour, and who opened it. */
class Quarter {
  readonly linkIds: string[] = [];
  readonly shortLinkIds: (string | null)[] = [];
  readonly sources: (string | null)[] = [];
  readonly visitors: Click[] = [];
  /** By the id of the short link, or else of the link. */
  #numbersOfOpened = new Map<string, number>();
  /** By the client, and by what it is said to be. */
  #numbersOfVisitors = new Map<Client | string, Map<string, number>>();

  constructor(
    readonly place: number,
    readonly projectId: string,
    readonly at: number,
  ) {}

  /** Whether a click of this moment belongs here. */
  holds(moment: number): boolean {
    return Math.floor(moment / quarterHour) === Math.floor(this.at / quarterHour);
  }

  numberOfOpened({ linkId, shortLinkId, source }: Click): number {
    const id = shortLinkId ?? linkId;
    const known = this.#numbersOfOpened.get(id);
    if (known !== undefined) return known;
    this.shortLinkIds.push(shortLinkId);
    this.sources.push(source);
    const number = this.linkIds.push(linkId);
    this.#numbersOfOpened.set(id, number);
    return number;
  }

  numberOfVisitor(click: Click): number {
    const { client, referrer, country, qr } = click;
    const numbers = this.#numbersOf(client);
    const key = `${qr} ${country ?? ''} ${referrer ?? ''}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = this.visitors.push(click);
    numbers.set(key, number);
    return number;
  }

  seal(): void {
    this.#numbersOfOpened = new Map();
    this.#numbersOfVisitors = new Map();
  }

  /** Many clients are said to be the same. */
  #numbersOf(client: Client): Map<string, number> {
    const known = this.#numbersOfVisitors.get(client);
    if (known) return known;
    const said = `${client.platform} ${client.robot} ${client.browser}`;
    const numbers = this.#numbersOfVisitors.get(said) ?? new Map<string, number>();
    this.#numbersOfVisitors.set(said, numbers);
    this.#numbersOfVisitors.set(client, numbers);
    return numbers;
  }
}
