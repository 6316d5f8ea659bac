import { dateTime } from '../../src/shared/date-time';

test.each([
  ['2027-01-31T00:00:00Z', '2027-01-31T00:00:00.000Z'],
  ['2027-10-01T23:59:59Z', '2027-10-01T23:59:59.000Z'],
  ['2027-12-19T19:08:07Z', '2027-12-19T19:08:07.000Z'],
  ['2028-02-29T12:30:45.5Z', '2028-02-29T12:30:45.500Z'],
  ['2027-06-30T12:30:45.123456789Z', '2027-06-30T12:30:45.123Z'],
  ['2027-06-15T12:00:00+02:00', '2027-06-15T10:00:00.000Z'],
  ['2027-06-15T12:00:00-05:30', '2027-06-15T17:30:00.000Z'],
  ['2027-06-15T00:00:00+23:59', '2027-06-14T00:01:00.000Z'],
  ['2027-06-15T00:00:00-19:00', '2027-06-15T19:00:00.000Z'],
  ['9999-12-31T23:59:59+00:00', '9999-12-31T23:59:59.000Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
])('%s is %s', (given, moment) => {
  expect(dateTime.safeParse(given)).toEqual({ value: new Date(moment) });
});

test.each([
  ['no time', '2027-01-31'],
  ['no offset', '2027-01-31T00:00:00'],
  ['no seconds', '2027-01-31T00:00Z'],
  ['text in front', 'x2027-01-31T00:00:00Z'],
  ['text behind', '2027-01-31T00:00:00Zx'],
  ['a line break behind', '2027-01-31T00:00:00Z\n'],
  ['a small t', '2027-01-31t00:00:00Z'],
  ['a space for T', '2027-01-31 00:00:00Z'],
  ['a year of five digits', '12027-01-31T00:00:00Z'],
  ['month 0', '2027-00-10T00:00:00Z'],
  ['month 13', '2027-13-10T00:00:00Z'],
  ['day 0', '2027-01-00T00:00:00Z'],
  ['day 32', '2027-01-32T00:00:00Z'],
  ['the 31st of a short month', '2027-04-31T00:00:00Z'],
  ['29 February of a common year', '2027-02-29T00:00:00Z'],
  ['hour 24', '2027-01-31T24:00:00Z'],
  ['minute 60', '2027-01-31T00:60:00Z'],
  ['a leap second', '2027-01-31T23:59:60Z'],
  ['a fraction without digits', '2027-01-31T00:00:00.Z'],
  ['ten digits of a fraction', '2027-01-31T00:00:00.1234567890Z'],
  ['an offset of 24 hours', '2027-01-31T00:00:00+24:00'],
  ['an offset of 60 minutes', '2027-01-31T00:00:00+00:60'],
  ['an offset without a colon', '2027-01-31T00:00:00+0100'],
])('%s is refused: %j', (_, given) => {
  expect(dateTime.safeParse(given)).toEqual({
    problems: [
      { code: 'invalid_format', path: [], message: 'must be an ISO 8601 date-time such as 2027-01-31T00:00:00Z' },
    ],
  });
});

test.each(['9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01'])('%s has no form in UTC', (given) => {
  expect(dateTime.safeParse(given)).toEqual({
    problems: [{ code: 'invalid_format', path: [], message: 'must be between the years 0 and 9999 in UTC' }],
  });
});

test.each([null, undefined, 0, new Date(0), ['2027-01-31T00:00:00Z']])('%p is of the wrong type', (given) => {
  expect(dateTime.safeParse(given)).toEqual({
    problems: [{ code: 'invalid_type', path: [], message: 'must be a string' }],
  });
});

test('the rule describes itself', () => {
  expect(dateTime.schema).toEqual({
    type: 'string',
    format: 'date-time',
    pattern: expect.stringContaining('(?:Z|'),
  });
});
