import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

export interface Table {
  /** The nearest heading above. */
  heading: string;
  header: string[];
  rows: string[][];
}

/** Reads a file of the repository. */
export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Lists the files below a folder of the repository whose names end with the suffix. */
export const filesBelow = (folder: string, suffix: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .sort();

export function tablesOf(markdown: string): Table[] {
  const tables: Table[] = [];
  let heading = '';
  let open: Table | null = null;
  for (const line of markdown.split('\n')) {
    heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
    if (!line.startsWith('|')) open = null;
    else if (!open) tables.push((open = { heading, header: cellsOf(line), rows: [] }));
    else if (!/^\|[-|]+\|$/.test(line)) open.rows.push(cellsOf(line));
  }
  return tables;
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** Removes blocks of code. */
export const withoutBlocks = (markdown: string): string => markdown.replaceAll(/^ *```[^]*?^ *```$/gm, '');

/** Returns the code spans of a text. */
export const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
