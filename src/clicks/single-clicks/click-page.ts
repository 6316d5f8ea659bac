import { type ClickPosition, maxRepeated } from './click-position';
import { clickOf, type ClickRow } from './recorded-click';
import type { ClickPage } from './recorded-click.repository';

const equal = (one: ClickRow, other: ClickRow): boolean => one.at === other.at && one.key === other.key;

/** Leaves out the rows that earlier pages have: the first of those that equal the position. */
export const rowsAfter = (position: ClickPosition, rows: ClickRow[]): ClickRow[] =>
  rows.filter((row, number) => number >= position.repeated || !equal(row, position));

/** Makes a page of the rows after a position. One row more than `limit` tells that another page follows. */
export function clickPage(position: ClickPosition, rows: ClickRow[], limit: number): ClickPage {
  const listed = rows.slice(0, limit);
  const last = listed.at(-1);
  const clicks = listed.map(clickOf);
  if (rows.length <= limit || !last) return { clicks, next: null };
  const before = equal(last, position) ? position.repeated : 0;
  const repeated = before + listed.filter((row) => equal(row, last)).length;
  return { clicks, next: { ...last, repeated: Math.min(repeated, maxRepeated), from: position.from } };
}
