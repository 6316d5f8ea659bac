import type { EmbeddedBrowser } from '../../../src/link-routing/escapes/embedded-browser';
import {
  BrowserEscapes,
  droppedEscapes,
  minOffers,
  offeredWay,
  preferredWay,
} from '../../../src/link-routing/escapes/escape-choice';
import { markedEscapeOf, markedVia } from '../../../src/link-routing/escapes/escape-marker';
import { VersionModel } from './escape-model';

const browser: EmbeddedBrowser = { app: 'Instagram', platform: 'ios', version: 445, system: 27 };
const all = { ...browser, version: 0, system: 0 };
const table = {
  ways: { a: 'a:{url}', b: 'b:{url}', c: 'c:{url}' },
  rows: ['a', 'b', 'c'].map((way) => ({ app: 'Instagram', platform: 'ios' as const, way })),
};

test.each<[string, (number | null)[], string | undefined]>([
  ['the first one before any measurement', [null, null, null], 'a'],
  ['the only one', [0], 'a'],
  ['the first one although a later one is better', [0.1, 0.19], 'a'],
  ['the first one at half of the best share', [0.1, 0.2], 'a'],
  ['the next one below half of its share', [0.09, 0.2], 'b'],
  ['the next one that has half of the best share', [0.01, 0.1, 0.15], 'b'],
  ['the best one, if the others are below half', [0.01, 0.07, 0.15], 'c'],
  ['the first one until it is measured', [null, 0.9], 'a'],
  ['one that is not measured, if nobody arrives by the first one', [0, null], 'b'],
  ['the first one, if nobody arrives at all', [0, 0, 0], 'a'],
  ['none', [], undefined],
])('the preferred way is %s: %j', (_, shares, way) => {
  const names = ['a', 'b', 'c'].slice(0, shares.length);
  expect(preferredWay(names, (name) => shares[names.indexOf(name)]!)).toBe(way);
});

const offersOf = (shares: (number | null)[], turns: number) => {
  const names = ['a', 'b', 'c'].slice(0, shares.length);
  const ways = Array.from({ length: turns }, (_, turn) =>
    offeredWay(names, (name) => shares[names.indexOf(name)]!, turn),
  );
  return names.map((name) => ways.filter((way) => way === name).length);
};

test.each<[string, (number | null)[], number[]]>([
  ['one way', [0.2], [1000]],
  ['two that are not measured', [null, null], [900, 100]],
  ['a second that is not measured', [0.2, null], [900, 100]],
  ['two as good', [0.2, 0.2], [980, 20]],
  ['a second that does not work', [0.2, 0], [980, 20]],
  ['a first that does not work', [0, 0.2], [20, 980]],
  ['two that are not measured beside one', [0.2, null, null], [900, 50, 50]],
  ['two that do not work', [0.2, 0, 0], [980, 10, 10]],
  // The one that is not measured goes first at turns of both.
  ['one that does not work, and one that is not measured', [0.2, 0, null], [900, 0, 100]],
])('%s: %j get %j of 1,000 offers', (_, shares, offers) => {
  expect(offersOf(shares, 1000)).toEqual(offers);
});

type Counts = [browser: EmbeddedBrowser, way: string, offers: number, arrivals: number, sinceArrival?: number];

const escapesWith = (...counted: Counts[]): BrowserEscapes => {
  const escapes = new BrowserEscapes();
  escapes.table = table;
  escapes.counted = counted.map(([one, way, offers, arrivals, sinceArrival = 0]) => {
    return { ...one, way, offers, arrivals, sinceArrival };
  });
  return escapes;
};

/** Counts of the way `a`: in the version, and in all versions. */
const ofBoth = (one: [offers: number, arrivals: number, sinceArrival?: number], every: typeof one): Counts[] => [
  [browser, 'a', ...one],
  [all, 'a', ...every],
];

test.each<[string, Counts[], number | null]>([
  ['nothing', [], null],
  ['too few offers', [[browser, 'a', minOffers - 1, 9]], null],
  ['the version', [[browser, 'a', 100, 20]], 0.2],
  ['all versions, if the version has too few', ofBoth([49, 0], [1000, 100]), 0.1],
  ['the version before all versions', ofBoth([50, 0], [1000, 100]), 0],
  ['another version', [[{ ...browser, version: 444 }, 'a', 100, 20]], null],
  ['another system', [[{ ...browser, system: 26 }, 'a', 100, 20]], null],
  ['another way', [[browser, 'b', 100, 20]], null],
  ['more arrivals than offers', [[browser, 'a', 50, 900]], 1],
])('the share with counts of %s', (_, counts, share) => {
  expect(escapesWith(...counts).shareOf(browser, 'a')).toBe(share);
});

describe('a dropped way', () => {
  const usual: Counts = [all, 'a', 2000, 200];
  test.each<[string, Counts[], string[]]>([
    ['without the ten arrivals that are usual', [[browser, 'a', 300, 30, 100], usual], ['a']],
    ['with one of them', [[browser, 'a', 300, 30, 99], usual], []],
    ['without an arrival, and no usual share', [[browser, 'a', 300, 0, 1000]], ['a']],
    ['with fewer offers', [[browser, 'a', 300, 0, 999]], []],
    ['below a quarter of the usual share', [[browser, 'a', 300, 7], usual], ['a']],
    ['at a quarter of it', [[browser, 'a', 300, 7.5], usual], []],
    ['below a quarter of nineteen arrivals', [[browser, 'a', 190, 4], usual], []],
    ['of a version of which visitors arrive more often', [[browser, 'a', 300, 90], usual], []],
    ['with arrivals and no offers, which somebody forged', [[browser, 'a', 0, 500], usual], []],
    ['that never worked', ofBoth([300, 0, 5000], [2000, 0, 5000]), ['a', 'a']],
    ['that never worked, with few visits', ofBoth([300, 0, 900], [900, 0, 900]), []],
    ['before 50 offers to all versions', ofBoth([40, 0, 40], [49, 20]), []],
    ['with too few offers to tell', [[browser, 'a', 90, 0, 90], usual], []],
    ['in all versions', [[all, 'b', 2000, 0.1, 5000]], ['b']],
    ['that the table no longer has', [[browser, 'd', 300, 0, 5000]], []],
    ['of an app that the table no longer has', [[{ ...browser, app: 'Line' }, 'a', 300, 0, 5000]], []],
  ])('%s', (_, counts, ways) => {
    expect(droppedEscapes(escapesWith(...counts)).map(({ way }) => way)).toEqual(ways);
  });

  test('names the way that visitors get in each version', () => {
    const older = { ...browser, version: 444 };
    const escapes = escapesWith([browser, 'a', 300, 0, 1000], [browser, 'b', 60, 6], [older, 'a', 300, 0, 1000]);
    expect(droppedEscapes(escapes).map(({ version, preferred }) => [version, preferred])).toEqual([
      [445, 'b'],
      [444, 'b'],
    ]);
  });

  test('that loses its place within a version is dropped by then', () => {
    const model = new VersionModel(table, browser, { a: 0.1, b: 0.1 });
    model.visit(4500);
    expect(model.dropped).toEqual([]);
    model.shares = { a: 0, b: 0.1 };
    model.visitsUntil('b');
    expect(new Set(model.dropped)).toEqual(new Set(['a']));
  });
});

describe('the figures of docs/operating/in-app-browsers.md', () => {
  test.each([
    ['as good', 0.2, 0.2, 300],
    ['as good, with few taps', 0.02, 0.02, 300],
    ['half as good', 0.2, 0.1, 450],
    ['a quarter as good', 0.2, 0.05, 650],
  ])('another way that is %s takes over', (_, first, other, within) => {
    const model = new VersionModel(table, browser, { a: first, b: other });
    model.visit(4500);
    model.shares = { a: 0, b: other };
    expect(model.visitsUntil('b')).toBeLessThanOrEqual(within);
  });

  test('a new version that lost the first way changes after 50 offers', () => {
    const model = new VersionModel(table, browser, { a: 0.2, b: 0.2 });
    model.visit(3000);
    model.browser = { ...browser, version: 446 };
    model.shares = { a: 0, b: 0.2 };
    expect(model.visitsUntil('b')).toBeLessThanOrEqual(60);
  });

  test('a version with few visits stays with the usual way, and one of hundreds changes for itself', () => {
    const model = new VersionModel(table, browser, { a: 0.2, b: 0.2 });
    model.visit(3000);
    for (let version = 500; version < 800; version++) {
      model.browser = { ...browser, version };
      model.shares = version === 650 ? { a: 0, b: 0.2 } : { a: 0.2, b: 0.2 };
      model.visit(version === 650 ? 200 : 40);
      expect([version, model.preferred]).toEqual([version, version === 650 ? 'b' : 'a']);
    }
    expect(new Set(model.dropped)).toEqual(new Set(['a']));
  });

  test.each([
    ['one arrival in 200 offers', 0.005, 'b'],
    ['as many as the other way has', 0.2, 'a'],
  ])('somebody who forges %s', (_, share, preferred) => {
    const model = new VersionModel(table, browser, { a: 0.2, b: 0.2 });
    model.visit(4500);
    model.shares = { a: share, b: 0.2 };
    model.visit(650);
    expect(model.preferred).toBe(preferred);
  });

  test('a way that works again gets its place back', () => {
    const model = new VersionModel(table, browser, { a: 0, b: 0.2 });
    model.visit(3000);
    expect(model.preferred).toBe('b');
    model.shares = { a: 0.2, b: 0.2 };
    expect(model.visitsUntil('a')).toBeLessThanOrEqual(10_000);
  });
});

test('the offers to a version are those of all its ways in the table', () => {
  const escapes = escapesWith(
    [browser, 'a', 300, 30],
    [browser, 'b', 6.5, 1],
    [browser, 'd', 9, 1],
    [all, 'a', 2000, 200],
  );
  expect([escapes.offersTo(browser), escapes.offersTo({ ...browser, version: 446 })]).toEqual([306.5, 0]);
});

describe('the marker', () => {
  const now = Date.UTC(2026, 5, 1, 12, 5);
  const minuteMs = 60_000;
  const via = markedVia('a', browser, now);

  test('names way and versions, and needs no percent-encoding by browsers', () => {
    expect(via).toMatch(/^browser-page~a~ios~Instagram~445~27~[0-9a-z]{5,6}$/);
    expect(markedVia('a', { ...browser, app: 'Google News' }, now)).toContain('~Google%20News~');
  });

  test('is valid over midnight, and the end of a year', () => {
    const midnight = Date.UTC(2027, 0, 1);
    const written = markedVia('a', browser, midnight - 1);
    const valid = [0, 10 * minuteMs - 1, 10 * minuteMs].map(
      (later) => markedEscapeOf(written, table, midnight + later) !== null,
    );
    expect(valid).toEqual([true, true, false]);
  });

  test.each([
    [0, true],
    [4 * minuteMs, true],
    [14 * minuteMs, true],
    [15 * minuteMs, false],
    [-6 * minuteMs, false],
  ])('after %d ms: %s', (later, isValid) => {
    expect(markedEscapeOf(via, table, now + later)).toEqual(isValid ? { way: 'a', ...browser } : null);
  });

  test.each([
    ['of an iPad', `ipad-${via}`, true],
    ['without the rest', 'browser-page', false],
    ['of another page', via.replace('browser-', ''), false],
    ['of a way that the table lacks', via.replace('~a~', '~d~'), false],
    ['of an app that the table lacks', via.replace('Instagram', 'Line'), false],
    ['of the other platform', via.replace('ios', 'android'), false],
    ['of a version that is too long', via.replace('445', '44500'), false],
    ['with more', `${via}~1`, false],
    ['with half a character', via.replace('Instagram', '%E0%A4%A'), false],
  ])('%s: %s', (_, written, isValid) => {
    expect(markedEscapeOf(written, table, now) !== null).toBe(isValid);
  });
});
