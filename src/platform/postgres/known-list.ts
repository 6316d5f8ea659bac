import { LRUCache } from 'lru-cache';

/** The place of a row in a list: the number of rows before it in ascending order, its sort value and its id. */
export interface Anchor {
  rank: number;
  value: unknown;
  id: string;
}

/** How to reach a page: the rows from an anchor on, or before it, in a direction, without the first `skipped` ones. */
export interface Route {
  direction: 'asc' | 'desc';
  /** Null for the end of the list at which the direction begins. */
  from: Anchor | null;
  skipped: number;
}

const maxAnchors = 2000;

/** Anchors that are closer together would save less than a look-up costs. */
const minGap = 200;

/** A list as it was at one version: its length, and anchors in the order of their ranks. */
export class KnownList {
  readonly #anchors: Anchor[];

  /** @param nextSurveyAt the time from which the list may be scanned for anchors again, as `performance.now()` */
  constructor(
    readonly version: string,
    readonly total: number,
    public nextSurveyAt = 0,
    anchors: Anchor[] = [],
    /** The rows that a walk through the whole list passes, those that do not match included. */
    readonly passed = total,
  ) {
    this.#anchors = anchors;
  }

  /** Returns the shortest way to the `count` rows whose lowest rank is `rank`. */
  routeTo(rank: number, count: number): Route {
    const end = rank + count;
    const up = this.#anchors[this.#lastUpTo(rank)] ?? null;
    const down = this.#anchors[this.#lastUpTo(end - 1) + 1] ?? null;
    const skippedUp = rank - (up?.rank ?? 0);
    const skippedDown = (down?.rank ?? this.total) - end;
    return skippedUp <= skippedDown
      ? { direction: 'asc', from: up, skipped: skippedUp }
      : { direction: 'desc', from: down, skipped: skippedDown };
  }

  learn(anchor: Anchor): void {
    const before = this.#lastUpTo(anchor.rank);
    const gapBefore = anchor.rank - (this.#anchors[before]?.rank ?? 0);
    const gapAfter = (this.#anchors[before + 1]?.rank ?? this.total) - anchor.rank;
    if (Math.min(gapBefore, gapAfter) >= minGap && this.#anchors.length < maxAnchors)
      this.#anchors.splice(before + 1, 0, anchor);
  }

  /** Returns the index of the last anchor with at most this rank, or -1. */
  #lastUpTo(rank: number): number {
    let low = 0;
    let high = this.#anchors.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#anchors[middle]!.rank <= rank) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** Holds the lists that were read last. Each has at most 2,000 anchors, so that all together take less than 50 MB. */
export class KnownLists {
  readonly #lists = new LRUCache<string, KnownList>({ max: 100 });

  get(key: string): KnownList | undefined {
    return this.#lists.get(key);
  }

  set(key: string, list: KnownList): KnownList {
    this.#lists.set(key, list);
    return list;
  }
}
