import { type Click, type Client, type OpenedLink, quarterHourMs } from './click';
import { DistinctNames } from './distinct-names';

type WrittenLink = Pick<OpenedLink, 'id' | 'shortLinkId' | 'shortLinkSource'>;
export type WrittenVisitor = Pick<Click, 'client' | 'referrer' | 'country' | 'qr'>;

/** The written form of the clicks of one project in one quarter of an hour. Links and visitors are numbered from 1. */
export interface ClicksOfQuarter {
  projectId: string;
  at: number;
  links: WrittenLink[];
  visitors: WrittenVisitor[];
  /** Groups of clicks that differ only in time: the link's number, the visitor's number, and the count. */
  opened: number[];
  openedBy: number[];
  counts: number[];
  /** Milliseconds from `at` to each click, in the order of the groups; negative before `at`. */
  moments: number[];
}

/** A batch of clicks that one statement writes. Shared values are stored once; on a hot link that is nearly everything. */
export class ClickBatch {
  #size = 0;
  readonly #quarters: Quarter[] = [];
  /** The last two quarters of each project, because a clock may be set back. */
  #last = new Map<string, [Quarter, Quarter?]>();
  #latest: Quarter | null = null;
  // One element per click. Typed arrays lie outside the heap, so that the garbage collector does not scan them.
  readonly #quarter: Uint16Array;
  readonly #opened: Uint16Array;
  readonly #openedBy: Uint16Array;
  readonly #moments: Int32Array;

  /** @param capacity below 8192, because `rows` packs numbers of 13 bits */
  constructor(
    readonly capacity: number,
    private readonly referrers = new DistinctNames(),
  ) {
    this.#quarter = new Uint16Array(capacity);
    this.#opened = new Uint16Array(capacity);
    this.#openedBy = new Uint16Array(capacity);
    this.#moments = new Int32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.capacity;
  }

  add(click: Click): void {
    const quarter = this.#quarterOf(click);
    const place = this.#size++;
    this.#quarter[place] = quarter.place;
    this.#opened[place] = quarter.numberOf(click.link);
    this.#openedBy[place] = quarter.numberOfVisitor(click, this.referrers);
    this.#moments[place] = click.at - quarter.at;
  }

  /** Releases the memory that only `add` needs. */
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
      counts: [],
      moments: [],
    }));
    // Four fields of 13 bits form one number. Its order puts equal clicks beside each other, in their order of arrival.
    const sorted = new Float64Array(this.#size);
    for (let click = 0; click < this.#size; click++)
      sorted[click] =
        ((this.#quarter[click]! * 2 ** 13 + this.#opened[click]!) * 2 ** 13 + this.#openedBy[click]!) * 2 ** 13 + click;
    sorted.sort();
    let last = -1;
    for (const number of sorted) {
      const click = number % 2 ** 13;
      const { opened, openedBy, counts, moments } = rows[this.#quarter[click]!]!;
      const alike = Math.floor(number / 2 ** 13);
      if (alike !== last) {
        opened.push(this.#opened[click]!);
        openedBy.push(this.#openedBy[click]!);
        counts.push(0);
        last = alike;
      }
      counts[counts.length - 1]!++;
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

let quarters = 0;

class Quarter {
  links: WrittenLink[] = [];
  readonly visitors: WrittenVisitor[] = [];
  readonly #serial = ++quarters;
  readonly #from: number;
  #lastBy = new Map<Client, number>();
  #numbers = new Map<string, number>();

  constructor(
    readonly place: number,
    readonly projectId: string,
    readonly at: number,
  ) {
    this.#from = at - (at % quarterHourMs);
  }

  holds({ projectId, at }: Click): boolean {
    return projectId === this.projectId && at >= this.#from && at < this.#from + quarterHourMs;
  }

  numberOf(link: OpenedLink): number {
    if (link.quarterSerial !== this.#serial) {
      link.numberInQuarter = this.links.push(link);
      link.quarterSerial = this.#serial;
    }
    return link.numberInQuarter;
  }

  numberOfVisitor(click: Click, referrers: DistinctNames): number {
    const { client, country, qr } = click;
    const last = this.#lastBy.get(client);
    if (last !== undefined) {
      const visitor = this.visitors[last - 1]!;
      if (visitor.referrer === click.referrer && visitor.country === country && visitor.qr === qr) return last;
    }
    const referrer = click.referrer && referrers.nameOf(click.projectId, click.at, click.referrer);
    const key = `${client.platform} ${client.robot} ${qr} ${country ?? ''} ${referrer ?? ''} ${client.browser}`;
    const number = this.#numbers.get(key) ?? this.visitors.push({ client, referrer, country, qr });
    this.#numbers.set(key, number);
    this.#lastBy.set(client, number);
    return number;
  }

  /** Copies the written fields of links, so that the batch does not keep evicted cache entries in memory. */
  seal(): void {
    this.links = this.links.map(({ id, shortLinkId, shortLinkSource }) => ({ id, shortLinkId, shortLinkSource }));
    this.#lastBy = new Map();
    this.#numbers = new Map();
  }
}
