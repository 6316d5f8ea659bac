import { appleAppSiteAssociation, assetLinks } from '../../../src/link-routing/association-files/association-files';
import { openingApps } from '../../../src/diagnostics/explain/opening-apps';
import type { VisitedProject } from '../../../src/link-routing/visited-link/visited-link';
import { maxFileBytes } from '../../../src/link-paths/association-files/association-file';
import { customPath } from '../../../src/link-paths/paths/custom-path';
import type { LinkOwnership } from '../../../src/link-paths/association-files/owned-paths';
import { appPaths } from '../../../src/link-paths/association-files/app-paths';
import { fc, runs } from '../../support/properties';
import { aVisitedAndroidApp, aVisitedIosApp, aVisitedProject } from '../builders';
import { appsOnAndroid, appsOnIos } from './phone-models';

type Paths = (string[] | null)[];

/** Builds a project with one app on both platforms for each item; its id is `0`, `1` and so on. */
const aProjectWith = (paths: Paths): VisitedProject =>
  aVisitedProject({
    iosApps: new Map(paths.map((own, at) => [`${at}`, aVisitedIosApp({ bundleId: `com.example.a${at}`, paths: own })])),
    androidApps: new Map(
      paths.map((own, at) => [
        `${at}`,
        aVisitedAndroidApp({ packageName: `com.example.a${at}`, shaFingerprints: ['AA'], paths: own }),
      ]),
    ),
  });

/** @param owners the app of each path; null for none */
const linksOf = (owners: Record<string, number | null>): LinkOwnership[] =>
  Object.entries(owners).map(([path, app]) => {
    const id = app === null ? null : `${app}`;
    return { path, iosAppId: id, androidAppId: id };
  });

/** Returns the apps that each system opens for a path and query, by the models of the phones. */
function opened(project: VisitedProject, links: LinkOwnership[] | null, target: string) {
  const url = `https://summer.go.example.com/${target}`;
  const ios = appleAppSiteAssociation(project, links).file.json;
  const android = assetLinks(project, links).file.json;
  // Apps with equal rules are together in Apple's file, and the order means nothing.
  const numbers = (names: string[]) => names.map((name) => Number(/a([0-9]+)$/.exec(name)![1])).sort((a, b) => a - b);
  return {
    ios: numbers(appsOnIos(ios, url)),
    android: numbers(appsOnAndroid(android, url, 15)),
    olderAndroid: numbers(appsOnAndroid(android, url, 14)),
  };
}

const both = (...apps: number[]) => ({ ios: apps, android: apps });

test.each<[string, Paths, Record<string, number | null>, string, number[]]>([
  ['one app opens every path', [null], { sale: 0 }, 'news', [0]],
  ['one app with paths opens them', [['/shop/*']], {}, 'shop/1', [0]],
  ['an app without paths opens nothing', [[]], { sale: 0 }, 'sale', []],
  ['an unknown path opens any', [null, null], { a: 0, b: 1 }, 'c', [0, 1]],
  ['a new link opens the app of its folder', [null, null], { 'x/1': 0, 'x/2': 0 }, 'x/3', [0]],
  ['a folder with one link is no folder of the app', [null, null], { 'x/1': 0 }, 'x/3', [0, 1]],
  ['paths of one app are left to it', [['/shop/*'], null], {}, 'shop/1', [0]],
  ['other paths are left to the other app', [['/shop/*'], null], {}, 'sale', [1]],
])('%s', (_, paths, owners, path, apps) => {
  expect(opened(aProjectWith(paths), linksOf(owners), path)).toMatchObject(both(...apps));
});

test('the files leave out paths that lead to the web, unless they are too many', () => {
  const visited = aProjectWith([null]);
  const url = 'https://summer.go.example.com/sale';
  const inFiles = (paths: string[]) => {
    const web = { ios: paths, android: paths };
    const [ios, android] = [appleAppSiteAssociation(visited, [], web), assetLinks(visited, [], web)];
    const apps = [appsOnIos(ios.file.json, url), appsOnAndroid(android.file.json, url, 15)].flat().length;
    return `${apps} ${ios.unscoped && android.unscoped}`;
  };
  const many = Array.from({ length: 1000 }, (_, at) => `${at}`.padStart(200, 'x'));
  expect([['news'], ['sale'], ['sale', ...many]].map(inFiles)).toEqual(['2 false', '0 false', '2 true']);
});

test.each<[string, number[], number[]]>([
  ['sale?_via=page', [], []],
  ['sale?x=1&_via=page', [], []],
  ['sale?_via=browser-page', [], []],
  // Only iPads use these values.
  ['sale?_via=ipad-page', [], [0]],
  ['sale?_via=ipad-browser-page', [], [0]],
  ['sale?_via=open', [0], [0]],
  ['sale?_via=ipad-open', [0], [0]],
  ['sale?_via=qr', [0], [0]],
  ['sale?_via=ipad', [0], [0]],
  ['sale?x=page', [0], [0]],
])('the URL %s opens %j on iOS and %j on Android 15', (target, ios, android) => {
  for (const paths of [null, ['/sale']]) {
    expect(opened(aProjectWith([paths]), linksOf({ sale: 0 }), target)).toEqual({ ios, android, olderAndroid: [0] });
  }
});

test.each<[string | null, string[]]>([
  [null, ['ios', 'android']],
  ['qr', ['ios', 'android']],
  ['ipad-page', ['android']],
  ['page', []],
])('the explanation of a visit with _via=%s names the apps of %j', (via, platforms) => {
  expect(openingApps(aProjectWith([null]), 'sale', via, []).map(({ platform }) => platform)).toEqual(platforms);
});

test('the explanation names no app for Android without fingerprints, because no file has it', () => {
  const visited = {
    ...aProjectWith([null]),
    androidApps: new Map([['0', aVisitedAndroidApp({ shaFingerprints: [] })]]),
  };
  expect(openingApps(visited, 'sale', null, []).map(({ platform }) => platform)).toEqual(['ios']);
});

const segment = fc.constantFrom('a', 'B', 'b', 'c.d', 'e_f', 'g~', 'h-i');
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
const pattern = fc.oneof(
  path.map((exact) => `/${exact}`),
  path.map((folder) => `/${folder}/*`),
  path.map((prefix) => `/${prefix}*`),
  fc.constant('/*'),
);
const project = fc
  .array(fc.option(fc.uniqueArray(pattern, { maxLength: 3 }), { freq: 2 }), { minLength: 1, maxLength: 4 })
  .chain((paths) =>
    fc.record({
      paths: fc.constant(paths),
      owners: fc.dictionary(path, fc.option(fc.nat(paths.length - 1), { freq: 4 }), { maxKeys: 15 }),
    }),
  );

test('the files of any project behave as its links say', () => {
  fc.assert(
    fc.property(project, ({ paths, owners }) => {
      for (const own of paths) if (own !== null) expect(appPaths.tryParse(own)).toEqual(own);
      const known = linksOf(owners);
      const visited = aProjectWith(paths);
      for (const [target, owner] of Object.entries(owners)) {
        expect(customPath.tryParse(target)).toBe(target);
        const { ios, android, olderAndroid } = opened(visited, known, target);
        const claims = (app: number) =>
          paths[app]!.some((one) =>
            one.endsWith('*') ? `/${target}`.startsWith(one.slice(0, -1)) : `/${target}` === one,
          );
        const apps = paths.flatMap((own, app) => {
          if (own !== null) return claims(app) ? [app] : [];
          if (owner === app) return [app];
          // A neighbour: only links of no app, outside the paths of others, may open it.
          const claimed = paths.some((other, at) => other !== null && claims(at));
          return paths.length === 1 || (owner === null && !claimed) ? [app] : [];
        });
        expect([ios, android]).toEqual([apps, apps]);
        // Explanations follow the files.
        const explained = openingApps(visited, target, null, known);
        for (const platform of ['ios', 'android'] as const)
          expect(explained.filter((app) => app.platform === platform).map(({ id }) => Number(id))).toEqual(apps);
        // Older versions ignore the components. An app without paths is not in the file.
        expect(olderAndroid).toEqual(paths.flatMap((own, app) => (own?.length === 0 ? [] : [app])));
        // The visitor who chose the browser stays there.
        for (const via of ['page', 'browser-page']) {
          expect(opened(visited, known, `${target}?_via=${via}`)).toMatchObject(both());
          expect(openingApps(visited, target, via, known)).toEqual([]);
        }
      }
    }),
    runs(1000),
  );
});

describe('a file with too many paths', () => {
  const many = (count: number, length: number, apps: number) =>
    linksOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`.padStart(length, 'x'), at % apps])));

  test.each<[string, Paths, LinkOwnership[] | null]>([
    ['beyond the limit of the query', [null, null], null],
    ['that do not fit into the file', Array.from({ length: 10 }, () => null), many(1000, 50, 10)],
  ])('%s leaves them out and says so', (_, paths, links) => {
    const visited = aProjectWith(paths);
    for (const { file, unscoped } of [appleAppSiteAssociation(visited, links), assetLinks(visited, links)]) {
      expect(Buffer.byteLength(file.json)).toBeLessThan(maxFileBytes);
      expect(unscoped).toBe(true);
    }
    const all = paths.map((_, app) => app);
    expect(opened(visited, links, '1'.padStart(50, 'x'))).toMatchObject(both(...all));
  });

  test('keeps the paths that the apps have', () => {
    const visited = aProjectWith([['/shop/*'], null]);
    expect(opened(visited, null, 'shop/1')).toMatchObject(both(0));
    expect(opened(visited, null, 'sale')).toMatchObject(both(1));
  });

  test('does not exist below the limits', () => {
    const visited = aProjectWith([null, null]);
    const links = many(1000, 30, 2);
    expect(appleAppSiteAssociation(visited, links).unscoped).toBe(false);
    expect(opened(visited, links, '1'.padStart(30, 'x'))).toMatchObject(both(1));
  });

  test('of a hundred apps with all their patterns is built in bounded time', () => {
    const patterns = (app: number) => Array.from({ length: 50 }, (_, at) => `/${app}/${at}`.padEnd(100, 'y'));
    const visited = aProjectWith(Array.from({ length: 100 }, (_, app) => (app % 2 ? patterns(app) : null)));
    // Their own patterns alone exceed the limit, which the API refuses. Nothing is added to them.
    const { file, unscoped } = appleAppSiteAssociation(visited, many(1000, 50, 100));
    const alone = appleAppSiteAssociation({ iosApps: visited.iosApps }, null);
    expect([unscoped, file.json]).toEqual([true, alone.file.json]);
  });
});

test('paths are stored once each', () => {
  expect(appPaths.parse(['/a', '/', '/a', '/b*'])).toEqual(['/a', '/', '/b*']);
});

test.each<[path: unknown, code: string]>([
  ['a', 'invalid_format'],
  ['/*/b', 'invalid_format'],
  ['/a**', 'invalid_format'],
  ['/a?b', 'invalid_format'],
  ['/a b', 'invalid_format'],
  ['/$(lang)/', 'invalid_format'],
  ['', 'too_small'],
  [`/${'a'.repeat(100)}`, 'too_big'],
  [1, 'invalid_type'],
])('the path %j is refused with %s', (path, code) => {
  expect(appPaths.safeParse(['/', path])).toMatchObject({ problems: [{ code, path: [1] }] });
});

describe('further associations', () => {
  test('are absent unless an app has them', () => {
    const visited = aProjectWith([null]);
    expect(JSON.parse(appleAppSiteAssociation(visited).file.json)).toEqual({ applinks: expect.anything() as object });
    expect(assetLinks(visited).file.json).not.toContain('get_login_creds');
  });

  test('of iOS name the apps that share credentials, and App Clips', () => {
    const iosApps = new Map([
      ['0', aVisitedIosApp({ bundleId: 'com.example.a', sharedCredentials: true, paths: [] })],
      ['1', aVisitedIosApp({ bundleId: 'com.example.b', appClipBundleId: 'com.example.b.Clip', paths: [] })],
    ]);
    expect(JSON.parse(appleAppSiteAssociation({ iosApps }).file.json)).toEqual({
      applinks: { details: [] },
      webcredentials: { apps: ['ABCDE12345.com.example.a'] },
      appclips: { apps: ['ABCDE12345.com.example.b.Clip'] },
    });
  });

  test.each<[string[] | null, boolean, string[]]>([
    [null, false, ['delegate_permission/common.handle_all_urls']],
    [null, true, ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds']],
    [[], true, ['delegate_permission/common.get_login_creds']],
  ])('of Android with the paths %j and shared credentials %p are %j', (paths, sharedCredentials, relation) => {
    const androidApps = new Map([['0', aVisitedAndroidApp({ shaFingerprints: ['AA'], paths, sharedCredentials })]]);
    const [statement] = JSON.parse(assetLinks({ androidApps }).file.json) as { relation: string[] }[];
    expect(statement!.relation).toEqual(relation);
  });

  test.each([
    ['that neither opens links nor shares credentials', { shaFingerprints: ['AA'], paths: [] }],
    ['without fingerprints', { shaFingerprints: [] }],
  ])('of Android leave out an app %s', (_, fields) => {
    expect(assetLinks({ androidApps: new Map([['0', aVisitedAndroidApp(fields)]]) }).file.json).toBe('[]');
  });
});
