import {
  appleAppSiteAssociation,
  filesDependOnLinks,
} from '../../../src/link-routing/association-files/association-files';
import { neighbourPaths, type OwnedPath } from '../../../src/link-routing/association-files/neighbour-paths';
import { matcherOf, matchesPattern } from '../../../src/link-paths/association-files/app-paths';
import { maxFileBytes } from '../../../src/link-paths/association-files/association-file';
import { fc, runs } from '../../support/properties';
import { aVisitedAndroidApp, aVisitedIosApp } from '../builders';

/** Counts the elements that are read from a list. */
function counted<T>(items: readonly T[], count: () => void): T[] {
  return new Proxy([...items], {
    get(list, key, receiver) {
      if (typeof key === 'string' && /^[0-9]+$/.test(key)) count();
      return Reflect.get(list, key, receiver) as unknown;
    },
  });
}

/** @param owners the app of each path; null for none */
const linksOf = (owners: Record<string, string | null>): OwnedPath[] =>
  Object.entries(owners).map(([path, appId]) => ({ path, appId }));

const appsOf = (...paths: (string[] | null)[]) => paths.map((own, at) => ({ id: `${at}`, paths: own }));

describe('the paths that apps without own patterns leave to others', () => {
  const leaves = (...foreign: string[]) => ({ own: [], foreign });

  test.each<[string, (string[] | null)[], Record<string, string | null> | null, object]>([
    ['are the links of the others', [null, null], { a: '0', b: '1', c: null }, { 0: leaves('/b'), 1: leaves('/a') }],
    [
      'are the patterns of others, except own links inside them',
      [['/shop/*'], null],
      { 'shop/1': '1', 'shop/2': '0', sale: '1' },
      { 1: { own: ['/shop/1'], foreign: ['/shop/*', '/shop/2'] } },
    ],
    ['name a path once that is a link and a pattern', [['/sale'], null], { sale: '0' }, { 1: leaves('/sale') }],
    ['are the patterns alone without known links', [['/shop/*'], null], null, { 1: leaves('/shop/*') }],
    [
      'join links of one folder',
      [null, null],
      { 'x/1': '0', 'x/2': '0', 'y/1': '0', z: '0' },
      { 0: leaves(), 1: leaves('/x/*', '/y/1', '/z') },
    ],
    ['do not exist for apps with patterns', [['/a'], ['/b']], { a: '0' }, {}],
  ])('%s', (_, paths, owners, expected) => {
    const neighbours = neighbourPaths(appsOf(...paths), owners && linksOf(owners), maxFileBytes);
    expect(Object.fromEntries(neighbours!)).toEqual(expected);
  });

  // `/shop/*` has 7 characters for both apps, as `/shop/1`. `/sale` has 5 for the one that does not own it.
  test.each([
    [33, true],
    [32, false],
  ])('are built for at most %i characters: %p', (maxCharacters, isBuilt) => {
    const links = linksOf({ sale: '1', 'shop/1': '1' });
    const neighbours = neighbourPaths(appsOf(['/shop/*'], null, null), links, maxCharacters);
    expect(neighbours !== null).toBe(isBuilt);
  });
});

test.each<[string, (string[] | null)[], (string[] | null)[], boolean]>([
  ['no apps', [], [], false],
  ['one app per platform', [null], [null], false],
  ['two apps of iOS', [null, null], [null], true],
  ['two apps of Android', [null], [null, null], true],
  ['an app beside one with patterns', [['/a'], null], [], true],
  ['two apps with patterns', [['/a'], ['/b']], [['/a'], []], false],
])('the files of a project with %s depend on links: %3$p', (_, ios, android, expected) => {
  const iosApps = new Map(appsOf(...ios).map(({ id, paths }) => [id, aVisitedIosApp({ paths })]));
  const androidApps = new Map(appsOf(...android).map(({ id, paths }) => [id, aVisitedAndroidApp({ paths })]));
  expect(filesDependOnLinks({ iosApps, androidApps })).toBe(expected);
  // Without them, a file has all paths of its apps, however many links there are.
  if (!expected) expect(appleAppSiteAssociation({ iosApps }, null)).toMatchObject({ unscoped: false });
});

const patternsPerApp = 50;
let read = 0;
let asked: number;
beforeEach(() => {
  read = 0;
  asked = 0;
});

/** Builds apps without patterns, and as many with the most patterns that an app may have. */
const pairsOfApps = (pairs: number) =>
  Array.from({ length: 2 * pairs }, (_, at) => ({
    id: `${at}`,
    paths:
      at % 2 === 0
        ? null
        : counted(
            Array.from({ length: patternsPerApp }, (_, n) => `/${at}/${n}`),
            () => read++,
          ),
  }));

/** Builds links of the first app that count how often its app is compared. */
const ownLinks = (count: number): OwnedPath[] =>
  Array.from({ length: count }, (_, at) => ({
    path: `1/${at}`,
    get appId() {
      asked++;
      return '0';
    },
  }));

test('patterns that do not fit for all apps are read once, and links not at all', () => {
  const pairs = 50;
  expect(neighbourPaths(pairsOfApps(pairs), ownLinks(1000), maxFileBytes)).toBeNull();
  expect([read, asked]).toEqual([pairs * patternsPerApp, 0]);
});

test('the patterns of a file are not read again for each app without patterns', () => {
  const pairs = 50;
  const iosApps = new Map(pairsOfApps(pairs).map(({ id, paths }) => [id, aVisitedIosApp({ bundleId: id, paths })]));
  const links = ownLinks(1000).map(({ path }) => ({ path, iosAppId: '0', androidAppId: null }));
  expect(appleAppSiteAssociation({ iosApps }, links).unscoped).toBe(true);
  // With the links, without them, and for the file.
  expect(read).toBe(3 * pairs * patternsPerApp);
});

test('a matcher of patterns agrees with each of them', () => {
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 5 }).map((rest) => `/${rest}`);
  const pattern = fc.tuple(path, fc.constantFrom('', '*')).map(([prefix, star]) => prefix + star);
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 4 }), path, (patterns, target) => {
      expect(matcherOf(patterns)(target)).toBe(patterns.some((one) => matchesPattern(one, target)));
    }),
    runs(1000),
  );
});
