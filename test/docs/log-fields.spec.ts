import { describeForLog } from '../../src/platform/http/log-redaction';
import { Log } from '../../src/platform/observability/log';
import { type LogLine, logLines } from '../support/log-lines';
import { codeIn, readPage, tablesOf } from '../support/pages';

const tables = tablesOf(readPage('docs/operating/monitoring.md'));
const rowsUnder = (heading: string): string[][] => tables.find((table) => table.heading === heading)!.rows;
const lines = logLines();

/** Writes a line and returns the fields that all lines have. */
function commonFields(): string[] {
  let written = '';
  new Log('info', { write: (line) => void (written = line) }).logger.info('a message');
  return Object.keys(JSON.parse(written) as object);
}

const described = (text: string, { level, fields }: Omit<LogLine, 'message'>): string =>
  `${text} (${level}): ${[...new Set(fields)].sort().join(', ')}`;

test('the table of log lines has the messages, levels and fields of the code', () => {
  const documented = rowsUnder('Logs').flatMap(([line = '', level = '', fields = '']) =>
    codeIn(line).map((message) => described(message, { level: codeIn(level).join(), fields: codeIn(fields) })),
  );
  const written = lines.flatMap(({ message, ...line }) => (message === null ? [] : [described(message, line)]));
  expect(documented.length).toBeGreaterThan(10);
  expect(documented.sort()).toEqual([...new Set(written)].sort());
});

test('messages in words have the levels and fields of their row', () => {
  const [, level = '', fields = ''] = rowsUnder('Logs').find(([line]) => codeIn(line!).length === 0)!;
  const inWords = lines.filter(({ message }) => message === null);
  expect(codeIn(level).sort()).toEqual([...new Set(inWords.map((line) => line.level))].sort());
  expect(codeIn(fields).sort()).toEqual([...new Set(inWords.flatMap((line) => line.fields))].sort());
});

test('the table of log fields has every field and no other', () => {
  const documented = rowsUnder('Log fields').flatMap(([field]) => codeIn(field!));
  const written = new Set([...commonFields(), ...lines.flatMap(({ fields }) => fields)]);
  expect(documented.sort()).toEqual([...written].sort());
});

test('the row of `error` has the parts of an error', () => {
  const [, meaning = ''] = rowsUnder('Log fields').find(([field]) => field === '`error`')!;
  expect(codeIn(meaning)).toEqual(Object.keys(describeForLog(new Error('a fault'))));
});
