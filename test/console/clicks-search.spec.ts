import { createRequire } from 'node:module';

/** The console has other TypeScript settings, which an import would not follow. */
const { clicksSearch } = createRequire(__filename)('../../console/src/clicks/clicks-search') as {
  clicksSearch(raw: Record<string, unknown>): object;
};

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['Europe/Kiev', 'Europe/Kiev'],
  ['UTC', 'UTC'],
  ['Mars/X', undefined],
  ['+01:00', undefined],
  ['', undefined],
  [1, undefined],
])('the time zone %j is read as %j', (timezone, expected) => {
  expect(clicksSearch({ timezone })).toEqual(expected === undefined ? {} : { timezone: expected });
});
