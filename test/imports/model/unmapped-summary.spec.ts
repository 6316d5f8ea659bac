import type { UnmappedField } from '../../../src/imports/sources/import-source';
import { maxSummed, nothingUnmapped, withUnmapped } from '../../../src/imports/model/unmapped-summary';

const many = <T>(count: number, one: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => one(at));

test('a row counts once for a field, which has the value of the first row as its example', () => {
  const rows: UnmappedField[][] = [
    [],
    [
      { field: 'tags', value: 'a' },
      { field: 'tags', value: 'b' },
    ],
    [{ field: 'tags', value: 'c' }],
  ];
  const first = withUnmapped(nothingUnmapped, rows);
  expect(first).toEqual({ fields: [{ field: 'tags', rows: 2, example: 'a' }], missingApps: [], complete: true });
  expect(withUnmapped(first, [[{ field: 'tags', value: 'd' }]]).fields).toEqual([
    { field: 'tags', rows: 3, example: 'a' },
  ]);
  expect(withUnmapped(first, [[], []])).toBe(first);
});

test('an app is counted by its platform and identifier, and not as a field', () => {
  const app = (platform: 'ios' | 'android', value: string): UnmappedField => ({ field: 'app', value, app: platform });
  const rows = [
    [app('ios', 'com.example'), app('android', 'com.example')],
    [app('ios', ' com.example ')],
    [{ field: 'ios com.example', value: 'x' }],
  ];
  expect(withUnmapped(nothingUnmapped, rows)).toEqual({
    fields: [{ field: 'ios com.example', rows: 1, example: 'x' }],
    missingApps: [
      { platform: 'ios', identifier: 'com.example', rows: 2 },
      { platform: 'android', identifier: 'com.example', rows: 1 },
    ],
    complete: true,
  });
});

test('the first fields and apps are counted in all rows, and others make the summary incomplete', () => {
  const fieldsOf = (from: number) => many(maxSummed, (at): UnmappedField => ({ field: `f${at + from}`, value: 'x' }));
  const full = withUnmapped(nothingUnmapped, [fieldsOf(0)]);
  expect([full.fields.length, full.complete]).toEqual([maxSummed, true]);
  const more = withUnmapped(full, [fieldsOf(1)]);
  expect(more.complete).toBe(false);
  expect(more.fields.map(({ field, rows }) => [field, rows])).toEqual(
    many(maxSummed, (at) => [`f${at}`, at === 0 ? 1 : 2]),
  );
  const apps = many(maxSummed + 1, (at): UnmappedField => ({ field: 'ibi', value: `com.example.a${at}`, app: 'ios' }));
  const ofApps = withUnmapped(nothingUnmapped, [apps]);
  expect([ofApps.missingApps.length, ofApps.complete]).toEqual([maxSummed, false]);
  expect(withUnmapped(nothingUnmapped, [[{ field: '…', value: '3 further values' }]])).toEqual({
    ...nothingUnmapped,
    complete: false,
  });
});

test('a long value is cut so that PostgreSQL can store it', () => {
  const value = `x${'🎉'.repeat(60)}`;
  const [cut] = withUnmapped(nothingUnmapped, [[{ field: 'a', value }]]).fields;
  expect(cut!.example).toBe(`x${'🎉'.repeat(49)}\u{fffd}…`);
});
