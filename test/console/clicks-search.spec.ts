import { load } from './load';

const { clicksSearch } = load('clicks/clicks-search');

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

test.each([
  [{ from: '2026-06-01', to: '2026-06-30' }, true],
  [{ from: '2026-06-01', to: '2026-06-01' }, true],
  [{ from: '2025-06-01', to: '2026-07-05' }, true],
  [{ from: '2025-06-01', to: '2026-07-06' }, false],
  [{ from: '2026-06-02', to: '2026-06-01' }, false],
  [{ from: '2026-02-30', to: '2026-03-01' }, false],
  [{ from: '2026-13-01', to: '2026-13-02' }, false],
  [{ from: '2026-06-01' }, false],
  ['2026-06-01', false],
  [null, false],
])('the days %j replace the range: %s', (days, isRead) => {
  expect(clicksSearch({ days, range: '7d' })).toEqual(isRead ? { days } : { range: '7d' });
});

test.each([
  [{ country: ['AT', 'DE', 'AT'] }, { country: ['AT', 'DE'] }],
  [{ country: 'AT', platform: ['ios'] }, { platform: ['ios'] }],
  [{ unknown: ['x'], tag: [] }, undefined],
  [{ referrer: [''] }, { referrer: [''] }],
  [{ link_id: [1, null] }, undefined],
  [
    { utm_source: Array.from({ length: 30 }, (_, at) => `${at}`) },
    { utm_source: Array.from({ length: 20 }, (_, at) => `${at}`) },
  ],
  ['x', undefined],
  [null, undefined],
])('the filters %j are read as %j', (filters, expected) => {
  expect(clicksSearch({ filters })).toEqual(expected === undefined ? {} : { filters: expected });
});

test.each([
  ['year', true],
  ['none', true],
  ['2025-12-24', true],
  ['2025-02-30', false],
  ['before', false],
  [2025, false],
])('the compared period %j is read: %s', (compare, isRead) => {
  expect(clicksSearch({ compare })).toEqual(isRead ? { compare } : {});
});

test.each([
  ['link', true],
  ['utm_content', true],
  ['version', false],
])('a chart that is split by %j: %s', (split, isRead) => {
  expect(clicksSearch({ split })).toEqual(isRead ? { split } : {});
});
