import type { Click, Client } from './click';

/**
 * Clicks that are written together. Those that are alike but for the moment, which on a link that is shared a lot are nearly
 * all, are of one kind, and what they share is kept once: of each click there are two numbers.
 */
export class ClickBatch {
  /** One click of each kind. */
  readonly kinds: Click[] = [];
  /** Of each click: its kind, by number from 1. */
  readonly kindOf: number[] = [];
  /** Of each click: milliseconds after `since`, or before. */
  readonly moments: number[] = [];
  /** Kinds by short link or link, then by client, then by the rest. */
  #numbers = new Map<string, Map<Client, Map<string, number>>>();

  /** @param since milliseconds since 1970 (UTC), near the clicks */
  constructor(readonly since: number) {}

  get size(): number {
    return this.moments.length;
  }

  add(click: Click): void {
    this.kindOf.push(this.#numberOf(click));
    this.moments.push(click.at - this.since);
  }

  /** Nothing is added any more: what was needed for that takes more memory than all else. */
  seal(): void {
    this.#numbers = new Map();
  }

  #numberOf(click: Click): number {
    const { linkId, shortLinkId, client, referrer, country, qr } = click;
    // A short link has one link and one source, and ids and clients come from memory that keeps one of each: to look them up
    // takes less than to make one text of everything.
    const clients = within(this.#numbers, shortLinkId ?? linkId);
    const others = within(clients, client);
    const other = `${referrer ?? ''}|${country ?? ''}|${qr}`; // no text is empty, none has a bar in it
    let number = others.get(other);
    if (number === undefined) others.set(other, (number = this.kinds.push(click)));
    return number;
  }
}

function within<Key, InnerKey, Value>(map: Map<Key, Map<InnerKey, Value>>, key: Key): Map<InnerKey, Value> {
  let inner = map.get(key);
  if (!inner) map.set(key, (inner = new Map<InnerKey, Value>()));
  return inner;
}
