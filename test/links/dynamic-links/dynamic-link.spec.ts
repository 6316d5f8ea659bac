import { FeatureNotInPlan } from '../../../src/tenancy/accounts/account.errors';
import { DynamicLink } from '../../../src/links/dynamic-links/dynamic-link';
import type { LinkPath } from '../../../src/links/link-paths/custom-path';

const fields = { name: 'Sale', customPath: 'sale' as LinkPath };
const plain = DynamicLink.create('project', 'free', fields);
const deferring = DynamicLink.create('project', 'pro', { ...fields, iosDeferredDeepLink: true });

test('a new link has defaults for absent fields', () => {
  expect(plain).toMatchObject({
    ...fields,
    projectId: 'project',
    desktopUrl: null,
    iosAppId: null,
    iosDeferredDeepLink: false,
    referrerParams: null,
  });
});

test('a link cannot begin to defer deep links on a plan without them', () => {
  const refused = { ...fields, iosDeferredDeepLink: true };
  expect(() => DynamicLink.create('project', 'free', refused)).toThrow(FeatureNotInPlan);
  expect(() => DynamicLink.requireChange(plain, 'free', { iosDeferredDeepLink: true })).toThrow(FeatureNotInPlan);
  DynamicLink.requireChange(plain, 'pro', { iosDeferredDeepLink: true });
});

test('a link that defers deep links stays as it is after a downgrade', () => {
  DynamicLink.requireChange(deferring, 'free', { name: 'Renamed', iosDeferredDeepLink: true });
  DynamicLink.requireChange(deferring, 'free', { iosDeferredDeepLink: false });
});
