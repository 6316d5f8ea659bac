import type { Click } from './click';

/**
 * Clicks that are written together. Those that are alike but for the moment, which on a link that is shared a lot are nearly
 * all, are of one kind, and what they share is said once.
 */
export interface ClickBatch {
  /** One click of each kind. */
  kinds: Click[];
  /** Of each click: its kind, by number from 1. */
  kindOf: number[];
  /** Milliseconds since 1970 (UTC) of the earliest click. */
  since: number;
  /** Of each click: milliseconds after `since`. */
  moments: number[];
}

/** @param clicks at least one */
export function batchOf(clicks: readonly Click[]): ClickBatch {
  const kinds: Click[] = [];
  const numbers = new Map<string, number>();
  const since = clicks.reduce((earliest, { at }) => Math.min(earliest, at), Infinity);
  const kindOf: number[] = [];
  const moments: number[] = [];
  for (const click of clicks) {
    const key = keyOf(click);
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, (number = kinds.push(click)));
    kindOf.push(number);
    moments.push(click.at - since);
  }
  return { kinds, kindOf, since, moments };
}

/** The link says of which project it is, and the short link of which source. No text is empty, none has a bar in it. */
const keyOf = ({ linkId, shortLinkId, client, referrer, country, qr }: Click): string =>
  `${linkId}|${shortLinkId ?? ''}|${client.platform}|${client.browser ?? ''}|${client.robot}|${referrer ?? ''}|${country ?? ''}|${qr}`;
