import { type Click, type Client, quarterHour } from './click';

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
  /**
   * By the last letters of an id: the number, from 1, of the last click of what has such an id. Where two have the same letters one is
   * forgotten, and may come to stand twice in a row, which costs room alone. A map of thousands of ids takes a microsecond a click.
   */
  #seen = new Uint16Array(2 ** 13);

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
    this.#opened[place] = this.#numberOfOpened(click, quarter, place);
    this.#openedBy[place] = quarter.numberOfVisitor(click);
    this.#moments[place] = click.at - quarter.at;
  }

  /** Nothing is added any more: what was needed for that takes memory. */
  seal(): void {
    for (const quarter of this.#quarters) quarter.seal();
    this.#last = new Map();
    this.#seen = new Uint16Array(0);
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

  #numberOfOpened(click: Click, quarter: Quarter, place: number): number {
    const letters = lastLettersOf(click.shortLinkId ?? click.linkId) % this.#seen.length;
    const seen = this.#seen[letters]! - 1;
    this.#seen[letters] = place + 1;
    const number = this.#opened[seen];
    return number !== undefined && this.#quarter[seen] === quarter.place && quarter.opens(number, click)
      ? number
      : quarter.addOpened(click);
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

/** The four last letters of an id, which are drawn at random. */
function lastLettersOf(id: string): number {
  let number = 0;
  for (let at = id.length - 4; at < id.length; at++) number = number * 31 + id.charCodeAt(at);
  return number;
}

/** What was opened in a project in a quarter of an hour, and who opened it. */
class Quarter {
  readonly linkIds: string[] = [];
  readonly shortLinkIds: (string | null)[] = [];
  readonly sources: (string | null)[] = [];
  readonly visitors: Click[] = [];
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

  /** Whether that is what the click opened. A short link has one link, and one source. */
  opens(number: number, { linkId, shortLinkId }: Click): boolean {
    return this.linkIds[number - 1] === linkId && this.shortLinkIds[number - 1] === shortLinkId;
  }

  addOpened({ linkId, shortLinkId, source }: Click): number {
    this.shortLinkIds.push(shortLinkId);
    this.sources.push(source);
    return this.linkIds.push(linkId);
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
