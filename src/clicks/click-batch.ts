import type { Click } from './click';

const quarter = 15 * 60_000;

/** Rows of a link that a click is compared with. Where a link has more at once, some rows are alike, which costs room alone. */
const mostCompared = 16;

/** Clicks of a quarter of an hour that are alike but for the moment. */
export interface AlikeClicks {
  first: Click;
  /** Milliseconds by which further ones came after the first, or before; null for none. */
  others: number[] | null;
  /** The row of the same link before this one. */
  readonly previous: AlikeClicks | undefined;
}

/**
 * Clicks that are written together. Those that are alike but for the moment, which on a link that is shared a lot are nearly
 * all, become one row: of each there is one number.
 */
export class ClickBatch {
  readonly rows: AlikeClicks[] = [];
  #size = 0;
  /** The last row of each link. */
  #last = new Map<string, AlikeClicks>();

  get size(): number {
    return this.#size;
  }

  add(click: Click): void {
    this.#size++;
    const previous = this.#last.get(click.linkId);
    let row = previous;
    for (let compared = 0; row && compared < mostCompared; compared++, row = row.previous)
      if (areAlike(row.first, click)) return void (row.others ??= []).push(click.at - row.first.at);
    row = { first: click, others: null, previous };
    this.#last.set(click.linkId, row);
    this.rows.push(row);
  }

  /** Nothing is added any more: what was needed for that takes memory. */
  seal(): void {
    this.#last = new Map();
  }
}

/** But for the moment within their quarter of an hour. Of one link, whose project they share; a short link has one source. */
const areAlike = (one: Click, other: Click): boolean =>
  one.shortLinkId === other.shortLinkId &&
  (one.client === other.client ||
    (one.client.platform === other.client.platform &&
      one.client.browser === other.client.browser &&
      one.client.robot === other.client.robot)) &&
  one.referrer === other.referrer &&
  one.country === other.country &&
  one.qr === other.qr &&
  Math.floor(one.at / quarter) === Math.floor(other.at / quarter);
