import { cutTo, printable, widthOf } from './text.js';

export type Cell = string | number | boolean | null | undefined;

const gap = '  ';
const minColumnWidth = 8;

const textOf = (cell: Cell): string => (cell === null || cell === undefined ? '-' : printable(String(cell)));

/**
 * Renders rows below headings. If a terminal has too few columns, the widest columns are cut.
 * @param columns of the terminal; undefined if the output is a file or a pipe, where nothing is cut
 */
export function renderTable(headings: readonly string[], rows: readonly (readonly Cell[])[], columns?: number): string {
  const lines = [headings, ...rows.map((row) => row.map(textOf))];
  const widths = headings.map((_, at) => lines.reduce((width, line) => Math.max(width, widthOf(line[at] ?? '')), 0));
  if (columns !== undefined) narrow(widths, columns);
  return lines
    .map((line) => {
      const cells = line.map((cell, at) => {
        const text = columns === undefined ? cell : cutTo(cell, widths[at]!);
        return text + ' '.repeat(Math.max(0, widths[at]! - widthOf(text)));
      });
      return `${cells.join(gap).trimEnd()}\n`;
    })
    .join('');
}

/** Takes columns from the widest ones, one by one, until all fit. */
function narrow(widths: number[], columns: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1) - columns;
  for (; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= minColumnWidth) return;
    widths[widest]! -= 1;
  }
}

/** Renders the fields of one thing, a line for each. */
export function renderFields(fields: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}${gap}${textOf(valueText(value))}\n`)
    .join('');
}

function valueText(value: unknown): Cell {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ') || null;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value as Cell;
}
