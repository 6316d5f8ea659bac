import type { EventLoopTurns } from '../../shared/event-loop-turns';
import { separator } from './text-trie';

/** Places between two looks at the clock. Measured: 0.1 ms. */
const placesPerStep = 1000;

/** Bounds the memory of `frequentTexts`, which takes some 15 bytes per character. */
const maxChars = 2_000_000;

/** Returns the rows, or some of them in equal distances if they are long. */
export function thinned(rows: string[]): string[] {
  const chars = rows.reduce((sum, row) => sum + row.length, 0);
  const step = Math.ceil(chars / maxChars);
  return step > 1 ? rows.filter((_, at) => at % step === 0) : rows;
}

/** The places that a text continues by the same code unit. */
interface Group {
  places: Int32Array;
  size: number;
  /** Rows of the places, which are in ascending order. */
  rows: number;
  lastRow: number;
}

/**
 * Finds the texts that at least `minRows` of the rows contain. It splits the places where a text occurs by the next character,
 * and drops what is rare. So its time is proportional to the length of the rows and of the frequent texts.
 */
export async function frequentTexts(
  rows: string[],
  minRows: number,
  maxTexts: number,
  turns: EventLoopTurns,
): Promise<string[]> {
  const all = rows.join(separator) + separator;
  const rowOf = new Int32Array(all.length);
  const places = new Int32Array(all.length);
  let row = 0;
  let end = rows[0]?.length ?? 0;
  await inSteps(all.length, turns, (at) => {
    if (at > end) end = at + rows[++row]!.length;
    rowOf[at] = row;
    places[at] = at;
  });
  const found: { text: string; rows: number }[] = [];
  const pending: { text: string; places: Int32Array }[] = [{ text: '', places }];
  for (let group = pending.pop(); group; group = pending.pop()) {
    for (const [code, next] of await byNextCode(all, rowOf, group.places, group.text.length, turns)) {
      if (next.rows < minRows) continue;
      const text = group.text + String.fromCharCode(code);
      found.push({ text, rows: next.rows });
      pending.push({ text, places: next.places });
    }
  }
  return found
    .filter(({ text }) => text.isWellFormed())
    .sort((one, other) => other.rows - one.rows)
    .slice(0, maxTexts)
    .map(({ text }) => text);
}

async function byNextCode(
  all: string,
  rowOf: Int32Array,
  places: Int32Array,
  length: number,
  turns: EventLoopTurns,
): Promise<Map<number, Group>> {
  const counts = new Map<number, number>();
  await inSteps(places.length, turns, (at) => {
    const code = all.charCodeAt(places[at]! + length);
    if (code > 0) counts.set(code, (counts.get(code) ?? 0) + 1);
  });
  const groups = new Map<number, Group>();
  for (const [code, count] of counts)
    groups.set(code, { places: new Int32Array(count), size: 0, rows: 0, lastRow: -1 });
  await inSteps(places.length, turns, (at) => {
    const place = places[at]!;
    const group = groups.get(all.charCodeAt(place + length));
    if (!group) return;
    group.places[group.size++] = place;
    const row = rowOf[place]!;
    if (row !== group.lastRow) group.rows++;
    group.lastRow = row;
  });
  return groups;
}

/** Calls `step` for each number below `count`, over several turns of the event loop if necessary. */
async function inSteps(count: number, turns: EventLoopTurns, step: (at: number) => void): Promise<void> {
  for (let from = 0; from < count; from += placesPerStep) {
    const to = Math.min(count, from + placesPerStep);
    for (let at = from; at < to; at++) step(at);
    const turn = turns.next();
    if (turn) await turn;
  }
}
