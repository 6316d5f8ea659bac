import { scopeProblems } from '../../../src/diagnostics/association-health/scope-checks';
import { matchesPattern } from '../../../src/link-paths/association-files/app-paths';
import { fc, runs } from '../../support/properties';

const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), minLength: 1, maxLength: 4 });
const pattern = fc.tuple(path, fc.constantFrom('', '*')).map(([prefix, star]) => `/${prefix}${star}`);
const id = fc.constantFrom('0', '1', '2');
const app = fc.record({
  id,
  name: fc.constant('Shop'),
  paths: fc.option(fc.array(pattern, { maxLength: 4 }).map((patterns) => [...new Set(patterns)])),
});
const link = fc.record({ path, iosAppId: fc.option(id), androidAppId: fc.option(id) });

test('the first link outside the paths of its app, and the first one of another app inside them, is named', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('ios', 'android'),
      fc.uniqueArray(app, { selector: (one) => one.id }),
      fc.array(link, { maxLength: 10 }),
      async (platform, apps, links) => {
        const expected = apps.flatMap(({ id: appId, paths }) => {
          if (paths === null) return [];
          const owned = links.map((one) => ({
            path: one.path,
            owner: platform === 'ios' ? one.iosAppId : one.androidAppId,
            isInside: paths.some((scope) => matchesPattern(scope, `/${one.path}`)),
          }));
          const outside = owned.find(({ owner, isInside }) => owner === appId && !isInside);
          const other = owned.find(({ owner, isInside }) => owner !== null && owner !== appId && isInside);
          return [
            ...(outside ? [['link_outside_paths', appId, outside.path]] : []),
            ...(other ? [['link_in_other_paths', appId, other.path]] : []),
          ];
        });
        const found = await scopeProblems(platform, apps, links, false);
        expect(found.map(({ code, appId, message }) => [code, appId, /such as \/(.*)\.$/.exec(message)![1]])).toEqual(
          expected,
        );
      },
    ),
    runs(300),
  );
});
