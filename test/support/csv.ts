/** Where `csvRecord` puts an apostrophe (docs/contract-resources.md, “Export”). */
const apostrophe = /(^|[;\t\r\n])'(?=(?:(?![\t\r\n])['\p{White_Space}\p{Cf}])*[=+\-@＝＋－＠])/gu;

/** Signs of formulas, what spreadsheets trim before them, separators of cells, and letters. */
export const charactersOfFormulas = [
  ...'=+-@＝＋－＠\'",; \t\r\na1',
  ...'\v\u0085\u00A0\u00AD\u1680\u180E\u2003\u200B\u200D\u200E\u2028\u202E\u205F\u2060\u3000\uFEFF\u{E0020}',
];

/** Returns the records of a CSV by RFC 4180. An empty cell is null, and `""` an empty text. The mark of its encoding is left out. */
export function readCsv(csv: string): (string | null)[][] {
  const records: (string | null)[][] = [[]];
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n)/gy;
  const text = csv.replace(/^\uFEFF/, '');
  while (cell.lastIndex < text.length) {
    const [, content, end] = cell.exec(text) ?? [];
    if (content === undefined) throw new Error('The text is not CSV.');
    const quoted = content.startsWith('"');
    records.at(-1)!.push(quoted ? content.slice(1, -1).replaceAll('""', '"') : content === '' ? null : content);
    if (end === '\r\n') records.push([]);
  }
  return records.slice(0, -1);
}

/** Returns the text of a cell as it is stored. */
export const withoutApostrophes = (cell: string): string => cell.replaceAll(apostrophe, '$1');

/** Returns the records as objects by the names of the first record, as they are stored. */
export function readCsvObjects(csv: string): Record<string, string | null>[] {
  const [names = [], ...records] = readCsv(csv);
  return records.map((cells) =>
    Object.fromEntries(names.map((name, at) => [name, cells[at] === null ? null : withoutApostrophes(cells[at]!)])),
  );
}
