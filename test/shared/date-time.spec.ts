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
  // No time, offset or seconds.
  ...['2027-01-31', '2027-01-31T00:00:00', '2027-01-31T00:00Z'],
  // More text, and other forms.
  ...['x2027-01-31T00:00:00Z', '2027-01-31T00:00:00Zx', '2027-01-31T00:00:00Z\n', '2027-01-31t00:00:00Z'],
  ...['2027-01-31 00:00:00Z', '12027-01-31T00:00:00Z'],
  // Days that no year has, or not this one.
  ...['2027-00-10T00:00:00Z', '2027-13-10T00:00:00Z', '2027-01-00T00:00:00Z', '2027-01-32T00:00:00Z'],
  ...['2027-04-31T00:00:00Z', '2027-02-29T00:00:00Z'],
  ...['2027-01-31T24:00:00Z', '2027-01-31T00:60:00Z', '2027-01-31T23:59:60Z'],
  ...['2027-01-31T00:00:00.Z', '2027-01-31T00:00:00.1234567890Z'],
  ...['2027-01-31T00:00:00+24:00', '2027-01-31T00:00:00+00:60', '2027-01-31T00:00:00+0100'],
])('%j is refused', (given) => {
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
