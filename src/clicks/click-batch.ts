import { type Click, type Client, type OpenedLink, quarterHour } from './click';

/** What is written of a link. */
type WrittenLink = Pick<OpenedLink, 'id' | 'shortLinkId' | 'shortLinkSource'>;
/** What is written of who opened it. */
export type WrittenVisitor = Pick<Click, 'client' | 'referrer' | 'country' | 'qr'>;

/** Clicks of one project in one quarter of an hour, as they are written. What is said of them by number is numbered from 1. */
export interface ClicksOfQuarter {
  projectId: string;
  /** The first click's moment. */
  at: number;
  /** What was opened. */
  links: WrittenLink[];
  /** Who opened it. */
  visitors: WrittenVisitor[];
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
  /** Of the last click, whichever its project. */
  #latest: Quarter | null = null;
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
    this.#opened[place] = quarter.numberOf(click.link);
    this.#openedBy[place] = quarter.numberOfVisitor(click);
    this.#moments[place] = click.at - quarter.at;
  }

  /** Nothing is added any more: what was needed for that takes memory. */
  seal(): void {
    for (const quarter of this.#quarters) quarter.seal();
    this.#last = new Map();
    this.#latest = null;
  }

  rows(): ClicksOfQuarter[] {
    const rows = this.#quarters.map(({ projectId, at, links, visitors }): ClicksOfQuarter => ({
      projectId,
      at,
      links,
      visitors,
      opened: [],
      openedBy: [],
      times: [],
      moments: [],
    }));
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

  #quarterOf(click: Click): Quarter {
    const latest = this.#latest;
    if (latest?.holds(click)) return latest;
    const [last, before] = this.#last.get(click.projectId) ?? [];
    const known = last?.holds(click) ? last : before?.holds(click) ? before : undefined;
    return (this.#latest = known ?? this.#newQuarter(click, last));
  }

  #newQuarter({ projectId, at }: Click, last: Quarter | undefined): Quarter {
    const quarter = new Quarter(this.#quarters.length, projectId, at);
    this.#last.set(projectId, [quarter, last]);
    this.#quarters.push(quarter);
    return quarter;
  }
}

/** Quarters of an hour that this process has collected clicks of, one for each project and batch. */
let quarters = 0;

/** What was opened in a project in a quarter of an hour, and who opened it. */
class Quarter {
  links: WrittenLink[] = [];
  readonly visitors: WrittenVisitor[] = [];
  readonly #serial = ++quarters;
  readonly #from: number;
  /** The last visitor by each client, which is most often the next one too. */
  #lastBy = new Map<Client, number>();
  /** By all that is said of them. Many clients are said to be the same. */
  #numbers = new Map<string, number>();

  constructor(
    readonly place: number,
    readonly projectId: string,
    readonly at: number,
  ) {
    this.#from = at - (at % quarterHour);
  }

  /** Whether that click belongs here. */
  holds({ projectId, at }: Click): boolean {
    return projectId === this.projectId && at >= this.#from && at < this.#from + quarterHour;
  }

  numberOf(link: OpenedLink): number {
    if (link.notedIn !== this.#serial) {
      link.notedAs = this.links.push(link);
      link.notedIn = this.#serial;
    }
    return link.notedAs;
  }

  numberOfVisitor(click: Click): number {
    const { client, referrer, country, qr } = click;
    const last = this.#lastBy.get(client);
    if (last !== undefined) {
      const visitor = this.visitors[last - 1]!;
      if (visitor.referrer === referrer && visitor.country === country && visitor.qr === qr) return last;
    }
    const said = `${client.platform} ${client.robot} ${qr} ${country ?? ''} ${referrer ?? ''} ${client.browser}`;
    const number = this.#numbers.get(said) ?? this.visitors.push({ client, referrer, country, qr });
    this.#numbers.set(said, number);
    this.#lastBy.set(client, number);
    return number;
  }

  /** Keeps nothing of links but what is written: link traffic may have forgotten them before the database takes clicks again. */
  seal(): void {
    this.links = this.links.map(({ id, shortLinkId, shortLinkSource }) => ({ id, shortLinkId, shortLinkSource }));
    this.#lastBy = new Map();
    this.#numbers = new Map();
  }
}
