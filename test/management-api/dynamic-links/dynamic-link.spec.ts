import { FeatureNotInPlan } from '../../../src/management-api/accounts/account.errors';
import { DynamicLink } from '../../../src/management-api/dynamic-links/dynamic-link';
import type { LinkPath } from '../../../src/management-api/link-paths/custom-path';

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
  expect(() => plain.change('free', { iosDeferredDeepLink: true })).toThrow(FeatureNotInPlan);
  expect(plain.change('pro', { iosDeferredDeepLink: true })).toEqual({ iosDeferredDeepLink: true });
});

test('a link that defers deep links stays as it is after a downgrade', () => {
  const changes = { name: 'Renamed', iosDeferredDeepLink: true };
  expect(deferring.change('free', changes)).toEqual(changes);
  expect(deferring.change('free', { iosDeferredDeepLink: false })).toEqual({ iosDeferredDeepLink: false });
});
