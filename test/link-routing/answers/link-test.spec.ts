import { assetLinks, appleAppSiteAssociation } from '../../../src/link-routing/association-files/association-files';
import { testedAnswer } from '../../../src/link-routing/answers/tested-answer';
import { namedApps } from '../../../src/link-routing/association-files/named-apps';
import { linkTestPage, verdictOf } from '../../../src/link-routing/pages/link-test';
import { testLanguageOf, testTexts, verdicts } from '../../../src/link-routing/pages/link-test-texts';
import type { VisitedLink, VisitedProject } from '../../../src/link-routing/visited-link/visited-link';
import type { Visitor } from '../../../src/link-routing/visitor/visitor';
import { destinationUrl } from '../../../src/shared/destination-url';
import { hostileTexts } from '../../browser/hostile-texts';
import { aVisitedAndroidApp, aVisitedIosApp, aVisitedLink, aVisitedProject, aVisitor, someFacts } from '../builders';
import { aTestOf } from '../pages/sample-pages';

const url = (text: string) => destinationUrl.parse(text);
const at = Date.parse('2027-06-01T12:00:00Z');
const facts = someFacts({ at, query: 'x=1' });

const project = aVisitedProject({
  notFoundUrl: url('https://shop.example/lost'),
  iosApps: new Map([['app', aVisitedIosApp({ appstoreId: '42' })]]),
  androidApps: new Map([['app', aVisitedAndroidApp()]]),
});
const web = { desktopUrl: url('https://shop.example/') };
const lock = { passwordHash: null, isLimited: true, isUsedUp: false };
const phone = aVisitor('ios');

const lost = 'https://shop.example/lost?x=1';
const ofEnd = { activeUntil: at, expiredUrl: url('https://e.example/') };
const call = { ...web, iosFallbackUrl: 'tel:123' as never, hasOtherSchemes: true };
const android = aVisitor('android');
const playStore = 'https://play.google.com/store/apps/details?id=com.example.shop';

test.each<[name: string, link: Partial<VisitedLink> | null, visitor: Visitor, kind: string, to: string | null]>([
  ['an address without a link', null, phone, 'not-found', lost],
  ['a link before its begin', { ...web, activeFrom: at + 1 }, phone, 'not-found', lost],
  ['a link after its end', { ...web, activeUntil: at }, phone, 'expired', null],
  ['a link with a page for its end', ofEnd, phone, 'expired', 'https://e.example/?x=1'],
  ['a used up link', { ...web, lock: { ...lock, isUsedUp: true } }, phone, 'expired', null],
  ['a locked link', { ...web, lock }, phone, 'locked', null],
  ['a disabled link', { ...web, lock, disabled: true, activeUntil: at }, phone, 'disabled', null],
  ['a web destination', web, phone, 'redirect', 'https://shop.example/?x=1'],
  ['none of the parameters', { ...web, queryForwarding: 'none' }, phone, 'redirect', 'https://shop.example/'],
  ['the App Store', { iosAppId: 'app' }, phone, 'redirect', 'https://apps.apple.com/app/id42'],
  ['the page of the App Store', { iosAppId: 'app', iosDeferredDeepLink: true }, phone, 'get-the-app', null],
  ['the Play Store, without a token', { androidAppId: 'app' }, android, 'redirect', playStore],
  ['an in-app browser', { iosAppId: 'app' }, aVisitor('ios', { inAppBrowser: true }), 'in-app-browser', null],
  ['another scheme', call, phone, 'other-scheme', 'tel:123'],
  ['no destination', {}, phone, 'landing', null],
  ['a crawler', { socialTitle: 'Sale' }, aVisitor('desktop', { socialCrawler: true }), 'preview', null],
])('the answer for %s', (_, link, visitor, kind, location) => {
  const visited = link && aVisitedLink(link);
  expect(testedAnswer(project, 'a', visited, visitor, facts, ([first]) => first!)).toEqual({ kind, location });
});

test('rules and variants decide as in a visit', () => {
  const variant = aVisitedLink({ desktopUrl: url('https://v.example/') });
  const ruled = aVisitedLink({ variants: [{ name: 'B', weight: 1, link: variant }] });
  const rules = [{ at: 0, template: null, when: {}, link: ruled, opens: 'url' as const }];
  const answer = testedAnswer(project, 'a', aVisitedLink({ ...web, rules }), phone, facts, ([first]) => first!);
  expect(answer).toEqual({ kind: 'redirect', location: 'https://v.example/?x=1' });
});

const shop = 'ABCDE12345.com.example.shop';
const two = (paths: string[] | null, more: Partial<VisitedProject> = {}) => ({
  iosApps: new Map([
    ['a', aVisitedIosApp({ paths })],
    ['b', aVisitedIosApp({ bundleId: 'b', paths: null })],
  ]),
  androidApps: new Map([
    ['a', aVisitedAndroidApp({ paths, shaFingerprints: ['AA'] })],
    ['b', aVisitedAndroidApp({ packageName: 'b', sharedCredentials: true, paths: [], shaFingerprints: ['AA'] })],
  ]),
  ...more,
});
const owned = [{ path: 'sale', iosAppId: 'b', androidAppId: 'b' }];
const ofWeb = { ios: ['sale'], android: ['sale'] };
test.each<[name: string, paths: string[] | null, path: string, web: boolean, ofA: boolean, ofB: boolean]>([
  ['all paths, and a link of the other app', null, '/sale', false, false, true],
  ['all paths, and a link of no app', null, '/other', false, true, true],
  ['a path', ['/sale'], '/sale', false, true, true],
  ['another path', ['/shop/*'], '/sale', false, false, true],
  ['a folder', ['/shop/*'], '/shop/1', false, true, false],
  ['a link that leads to the web', ['/sale'], '/sale', true, false, false],
])('the apps of an association file with %s', (_, paths, path, leadsToWeb, ofA, ofB) => {
  const apps = two(paths);
  const ios = appleAppSiteAssociation(apps, owned, leadsToWeb ? ofWeb : undefined).file.json;
  expect(namedApps('ios', ios, path)).toEqual([
    { id: shop, opens: ofA },
    { id: 'ABCDE12345.b', opens: ofB },
  ]);
  const android = assetLinks({ androidApps: apps.androidApps }, [], leadsToWeb ? ofWeb : undefined).file.json;
  const isIn = paths === null || paths.some((one) => path === one || path.startsWith(one.slice(0, -1)));
  // The other app shares credentials alone.
  expect(namedApps('android', android, path)).toEqual([{ id: 'com.example.shop', opens: isIn && !leadsToWeb }]);
});

test.each(verdicts)('the verdict %s has its page', (verdict) => {
  const content = aTestOf(verdict);
  expect(verdictOf(content)).toBe(verdict);
  const { html } = linkTestPage(content, 'en');
  expect(html).toContain(testTexts.en.verdicts[verdict].title);
  expect(html.includes(testTexts.en.reasons)).toBe(verdict === 'not-opened');
  expect(html.includes(content.openUrl)).toBe(['in-app', 'not-opened'].includes(verdict));
  expect(html.includes('<script')).toBe(false);
  expect(linkTestPage({ ...content, ipadUrl: 'https://a.example/?_via=ipad-test' }, 'en').html).toContain('<script');
});

test('the page is bounded', () => {
  const apps = Array.from({ length: 100 }, (_, at) => ({ id: `app-${at}.`, opens: at === 99 }));
  const location = `https://shop.example/${'a'.repeat(5000)}`;
  const { html } = linkTestPage({ ...aTestOf('not-opened'), apps, answer: { kind: 'redirect', location } }, 'en');
  expect(html).toContain('app-99. for this address');
  expect(html).toContain('and 95 more');
  expect(html.length).toBeLessThan(9000);
});

test('hostile texts are escaped', () => {
  const content = aTestOf('not-opened');
  const elementsWith = (text: string): number => {
    const visited = { host: text, visitor: { ...content.visitor, browser: text } };
    const answered = { apps: [{ id: text, opens: true }], answer: { kind: 'redirect' as const, location: text } };
    return [...linkTestPage({ ...content, ...visited, ...answered }, 'en').html.matchAll(/<[a-z]/g)].length;
  };
  for (const text of hostileTexts) expect([text, elementsWith(text)]).toEqual([text, elementsWith('X')]);
});

test.each([
  [undefined, 'en'],
  ['de-AT', 'de'],
  ['fr, de;q=0.5', 'de'],
  ['fr', 'en'],
])('readers of %p get %p', (header, language) => {
  expect(testLanguageOf(header)).toBe(language);
});

test('both languages have all texts', () => {
  const listed = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    if (typeof value === 'function') return [value('NAME'), value(null)].flatMap(listed);
    return Object.values(value as object).flatMap(listed);
  };
  const [en, de] = [listed(testTexts.en), listed(testTexts.de)];
  expect(de).toHaveLength(en.length);
  expect(de.filter((text, at) => text === en[at])).toEqual(['Computer', 'Browser']);
});
