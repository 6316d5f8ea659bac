import { eventTypes, happenings } from '../../src/tenancy/journal/event-types';
import { codeIn, filesBelow, readPage, tablesOf } from '../support/pages';

const written = [
  ...filesBelow('migrations', '.sql').filter((path) => !path.includes('0020-journal')),
  ...filesBelow('src', '.ts'),
].flatMap((path) =>
  [...readPage(path).matchAll(/(?:journal_event|addEvent|addEventOnce)\([^;]*?'([a-z_]+\.[a-z_]+)'/g)].map(
    ([, type]) => type!,
  ),
);

const actionOf: Record<string, string> = { INSERT: 'created', UPDATE: 'updated', DELETE: 'deleted' };

/** The types that triggers write. */
const changes = [
  ...readPage('docs/schema.sql').matchAll(/ AFTER (INSERT|UPDATE|DELETE) ON [^;]*? write_journal\('(\w+)'/g),
].map(([, operation, kind]) => `${kind}.${actionOf[operation!]}`);

/** The types that the contract lists as events without a change. */
const described = tablesOf(readPage('docs/contract-resources.md'))
  .filter(({ header }) => header[0] === '`type`')
  .flatMap(({ rows }) => rows.flatMap(([types]) => codeIn(types!)));

test('the list has each type once, and is that of the code', () => {
  expect(new Set(eventTypes).size).toBe(eventTypes.length);
  expect(written.length).toBeGreaterThan(4);
  expect(eventTypes).toEqual(expect.arrayContaining(written));
  expect([...changes, ...happenings].toSorted()).toEqual(eventTypes);
});

test.each(happenings)('%s is in the contract and in the console', (type) => {
  expect(described).toContain(type);
  for (const language of ['en', 'de'])
    expect(readPage(`console/src/messages/${language}/history.ts`)).toContain(`'history.event.${type}':`);
});

test('the page about webhooks names each type, or its kind', () => {
  const { rows } = tablesOf(readPage('docs/webhooks.md')).find(({ header }) => header[0] === 'type')!;
  const named = new Set(rows.flatMap((cells) => cells.flatMap(codeIn)));
  const isNamed = (type: string) =>
    [type, type.split('.')[0]!, `${type.split('.')[0]}.*`].some((one) => named.has(one));
  expect(eventTypes.filter((type) => !isNamed(type))).toEqual([]);
});
