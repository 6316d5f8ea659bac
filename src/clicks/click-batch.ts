import type { Click, Client } from './click';

const quarterHour = 15 * 60_000;

/** Visitors of one client that a click's is compared with. Where there are more, some stand there twice, which costs room alone. */
const mostCompared = 16;

/** A number of what was opened, and one of who opened it, in one. A batch has fewer than 32,768 clicks. */
const most = 2 ** 15;

/**
 * Clicks of one project in one quarter of an hour, as they are written: what was opened, who opened it, and which of these went
 * together, by number from 1, how often and when.
 */
export class ClicksOfQuarter {
  /** What was opened: the link, and the short link with its source, or null. */
  readonly linkIds: string[] = [];
  readonly shortLinkIds: (string | null)[] = [];
  readonly sources: (string | null)[] = [];
  /** Who opened it: a click by each, for all but what it opened and when. */
  readonly visitors: Click[] = [];
  /** Clicks that are alike but for the moment: what they opened, who they are by, and how many they are. */
  readonly opened: number[] = [];
  readonly openedBy: number[] = [];
  readonly times: number[] = [];
  /** Of each click, in their order: with which it is alike, and when it was, in milliseconds after `at`, or before. */
  readonly #alike: number[] = [];
  readonly #moments: number[] = [];
  /** By the id of the short link, or else of the link. */
  #numbersOfOpened = new Map<string, number>();
  /** By the client, and by what it is said to be. */
  #numbersOfVisitors = new Map<Client | string, number[]>();
  #places = new Map<number, number>();

  /** @param at the first click's moment */
  constructor(
    readonly projectId: string,
    readonly at: number,
  ) {}

  /** Whether a click of this moment belongs here. */
  holds(moment: number): boolean {
    return Math.floor(moment / quarterHour) === Math.floor(this.at / quarterHour);
  }

  add(click: Click): void {
    const alike = this.#placeOf(this.#numberOfOpened(click), this.#numberOfVisitor(click));
    this.times[alike]!++;
    this.#alike.push(alike);
    this.#moments.push(click.at - this.at);
  }

  /** When each click was: first those of the first that are alike, and so on. */
  get moments(): number[] {
    let next = 0;
    const places = this.times.map((times) => (next += times) - times);
    const moments = new Array<number>(this.#moments.length);
    for (let click = 0; click < moments.length; click++)
      moments[places[this.#alike[click]!]!++] = this.#moments[click]!;
    return moments;
  }

  /** Nothing is added any more: what was needed for that takes memory. */
  seal(): void {
    this.#numbersOfOpened = new Map();
    this.#numbersOfVisitors = new Map();
    this.#places = new Map();
  }

  /** Where those are that are alike. */
  #placeOf(opened: number, openedBy: number): number {
    const both = opened * most + openedBy;
    const known = this.#places.get(both);
    if (known !== undefined) return known;
    this.opened.push(opened);
    this.openedBy.push(openedBy);
    const place = this.times.push(0) - 1;
    this.#places.set(both, place);
    return place;
  }

  #numberOfOpened({ linkId, shortLinkId, source }: Click): number {
    const id = shortLinkId ?? linkId;
    const known = this.#numbersOfOpened.get(id);
    if (known !== undefined) return known;
    this.shortLinkIds.push(shortLinkId);
    this.sources.push(source);
    const number = this.linkIds.push(linkId);
    this.#numbersOfOpened.set(id, number);
    return number;
  }

  #numberOfVisitor(click: Click): number {
    const numbers = this.#numbersOf(click.client);
    for (let at = numbers.length - 1; at >= Math.max(0, numbers.length - mostCompared); at--) {
      const { referrer, country, qr } = this.visitors[numbers[at]! - 1]!;
      if (referrer === click.referrer && country === click.country && qr === click.qr) return numbers[at]!;
    }
    const number = this.visitors.push(click);
    numbers.push(number);
    return number;
  }

  /** Many clients are said to be the same. */
  #numbersOf(client: Client): number[] {
    const known = this.#numbersOfVisitors.get(client);
    if (known) return known;
    const said = `${client.platform} ${client.robot} ${client.browser}`;
    const numbers = this.#numbersOfVisitors.get(said) ?? [];
    this.#numbersOfVisitors.set(said, numbers);
    this.#numbersOfVisitors.set(client, numbers);
    return numbers;
  }
}

/** Clicks that are written together. What they have in common is kept once: on a link that is shared a lot that is nearly all. */
export class ClickBatch {
  readonly rows: ClicksOfQuarter[] = [];
  #size = 0;
  /** Of each project the last row, and the one before: clocks may be put back a little. */
  #last = new Map<string, [ClicksOfQuarter, ClicksOfQuarter?]>();

  get size(): number {
    return this.#size;
  }

  add(click: Click): void {
    this.#size++;
    this.#rowFor(click).add(click);
  }

  /** Nothing is added any more. */
  seal(): void {
    for (const row of this.rows) row.seal();
    this.#last = new Map();
  }

  #rowFor({ projectId, at }: Click): ClicksOfQuarter {
    const [last, before] = this.#last.get(projectId) ?? [];
    if (last?.holds(at)) return last;
    if (before?.holds(at)) return before;
    const row = new ClicksOfQuarter(projectId, at);
    this.#last.set(projectId, [row, last]);
    this.rows.push(row);
    return row;
  }
}
