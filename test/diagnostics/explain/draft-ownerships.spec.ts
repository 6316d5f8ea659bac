import { ownershipsWithDraft } from '../../../src/diagnostics/explain/explain.service';
import type { NewLink } from '../../../src/links/dynamic-links/dynamic-link';
import { type LinkOwnership, maxOwnedPaths } from '../../../src/link-paths/association-files/owned-paths';

const owned = (path: string, app: string | null = null): LinkOwnership => ({ path, iosAppId: app, androidAppId: app });
const draft = (customPath: string, app: string | null = null): NewLink =>
  ({ customPath, iosAppId: app, androidAppId: app }) as NewLink;

const full = Array.from({ length: maxOwnedPaths }, (_, number) => owned(`p${number}`));

test('a new link is added', () => {
  expect(ownershipsWithDraft([owned('a', '1')], draft('b', '2'), null)).toEqual([owned('a', '1'), owned('b', '2')]);
});

test('a changed link takes the place of the stored one', () => {
  const links = [owned('a', '1'), owned('b', '2')];
  expect(ownershipsWithDraft(links, draft('c', '3'), 'a')).toEqual([owned('b', '2'), owned('c', '3')]);
  expect(ownershipsWithDraft(links, draft('a', null), 'a')).toEqual([owned('b', '2'), owned('a', null)]);
});

test('one path too many derives nothing, as for stored links', () => {
  expect(ownershipsWithDraft(full, draft('new'), null)).toBeNull();
  expect(ownershipsWithDraft(full, draft('new'), 'p0')).toHaveLength(maxOwnedPaths);
  expect(ownershipsWithDraft(null, draft('new'), 'p0')).toBeNull();
});
