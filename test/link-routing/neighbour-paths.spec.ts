import { appleAppSiteAssociation } from '../../src/link-routing/association-files';
import { neighbourPaths, type OwnedPath } from '../../src/link-routing/neighbour-paths';
import { matcherOf, matchesPattern } from '../../src/management-api/mobile-apps/app-paths';
import { maxFileBytes } from '../../src/management-api/mobile-apps/association-file';
import { fc, runs } from '../support/properties';
import { aVisitedIosApp } from './builders';

/** Counts the elements that are read from a list. */
function counted<T>(items: readonly T[], count: () => void): T[] {
  return new Proxy([...items], {
    get(list, key, receiver) {
      if (typeof key === 'string' && /^[0-9]+$/.test(key)) count();
      return Reflect.get(list, key, receiver) as unknown;
    },
  });
}

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

test('links that do not fit for all apps are not read again for each of them', () => {
  const readsOf = (derived: number) => {
    asked = 0;
    const apps = Array.from({ length: derived }, (_, at) => ({ id: `${at}`, paths: null }));
    expect(neighbourPaths([...apps, { id: 'other', paths: ['/1/*'] }], ownLinks(1000), 1000)).toBeNull();
    return asked;
  };
  expect(readsOf(50)).toBe(readsOf(1));
});

test('the patterns of a file are not read again for each app without patterns', () => {
  const pairs = 50;
  const iosApps = new Map(pairsOfApps(pairs).map(({ id, paths }) => [id, aVisitedIosApp({ bundleId: id, paths })]));
  const links = ownLinks(1000).map(({ path }) => ({ path, iosAppId: '0', androidAppId: null }));
  expect(appleAppSiteAssociation({ iosApps }, links).unscoped).toBe(true);
  // With the links, without them, and for the file.
  expect(read).toBe(3 * pairs * patternsPerApp);
});

test('a path is not compared with each pattern', () => {
  const patterns = counted(['/a', '/b/*', '/c*'], () => read++);
  const matches = matcherOf(patterns);
  const paths = ['/a', '/a/b', '/b', '/b/', '/b/c', '/c', '/cd'];
  expect(paths.filter(matches)).toEqual(['/a', '/b/', '/b/c', '/c', '/cd']);
  expect(read).toBe(patterns.length);
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
