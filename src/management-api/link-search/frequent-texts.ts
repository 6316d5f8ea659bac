import { setImmediate as nextTurn } from 'node:timers/promises';
import { separator } from './text-trie';

/**
 * Finds the texts that at least `minRows` of the rows contain. It splits the places where a text occurs by the next character,
 * and drops what is rare. So its time is proportional to the length of the rows and of the frequent texts.
 */
export async function frequentTexts(rows: string[], minRows: number, maxTexts: number): Promise<string[]> {
  const all = rows.join(separator) + separator;
  const rowOf = new Int32Array(all.length);
  const places = new Int32Array(all.length);
  let row = 0;
  for (let at = 0, end = rows[0]?.length ?? 0; at < all.length; at++) {
    if (at > end) end = at + rows[++row]!.length;
    rowOf[at] = row;
    places[at] = at;
  }
  const found: { text: string; rows: number }[] = [];
  const groups: { text: string; places: Int32Array }[] = [{ text: '', places }];
  for (let group = groups.pop(); group; group = groups.pop()) {
    for (const [code, next] of byNextCode(all, group.places, group.text.length)) {
      const count = distinctRows(next, rowOf);
      if (count < minRows) continue;
      const text = group.text + String.fromCharCode(code);
      found.push({ text, rows: count });
      groups.push({ text, places: next });
    }
    // A group of few places takes microseconds.
    if (group.places.length > 5000) await nextTurn();
  }
  return found
    .filter(({ text }) => text.isWellFormed())
    .sort((one, other) => other.rows - one.rows)
    .slice(0, maxTexts)
    .map(({ text }) => text);
}

function byNextCode(all: string, places: Int32Array, length: number): Map<number, Int32Array> {
  const counts = new Map<number, number>();
  for (const place of places) {
    const code = all.charCodeAt(place + length);
    if (code > 0) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const groups = new Map<number, Int32Array>();
  for (const [code, count] of counts) groups.set(code, new Int32Array(count));
  const filled = new Map<number, number>();
  for (const place of places) {
    const code = all.charCodeAt(place + length);
    if (!(code > 0)) continue;
    const at = filled.get(code) ?? 0;
    groups.get(code)![at] = place;
    filled.set(code, at + 1);
  }
  return groups;
}

/** Counts rows of places in ascending order. */
function distinctRows(places: Int32Array, rowOf: Int32Array): number {
  let rows = 0;
  let last = -1;
  for (const place of places) {
    const row = rowOf[place]!;
    if (row !== last) rows++;
    last = row;
  }
  return rows;
}
