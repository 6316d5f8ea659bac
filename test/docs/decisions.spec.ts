import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../docs/decisions');
const records = readdirSync(folder).filter((name) => name !== 'README.md');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

test('there are at most thirty records, numbered without gaps, and the list has them all', () => {
  expect(records.length).toBeLessThanOrEqual(30);
  expect(records.map((name) => Number(name.slice(0, 4)))).toEqual(records.map((_, at) => at + 1));
  const listed = [...read('README.md').matchAll(/^\| (\d+) \| \[.+?\]\((\S+)\) \|/gm)];
  expect(listed.map(([, number, name]) => [Number(number), name])).toEqual(records.map((name, at) => [at + 1, name]));
});

test.each(records)('%s has the form of a record', (name) => {
  const text = read(name);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  expect(text).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. .+\\n\\n\\*\\*Question\\.\\*\\* `));
  const parts = [...text.matchAll(/^\*\*(Question|Choice|Rejected|Measured)[.:]\*\*/gm)].map(([, part]) => part);
  expect(parts.slice(0, 3)).toEqual(['Question', 'Choice', 'Rejected']);
  expect(['', 'Measured']).toContain(parts.slice(3).join());
  expect(text.split('**Measured:**')[1] ?? '').toMatch(/^[^\n]*\n?$/);
});
