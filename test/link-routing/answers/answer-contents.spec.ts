import { destinationUrl } from '../../../src/shared/destination-url';
import { builtInEscapes } from '../../../src/link-routing/escapes/browser-escapes';
import type { LinkPath } from '../../../src/link-paths/paths/custom-path';
import { LinkHosts } from '../../../src/link-paths/paths/link-hosts';
import { AnswerContents, phonePlatformOf, type ParsedVisit } from '../../../src/link-routing/answers/answer-contents';
import type { InAppBrowserPage, RegularAnswer } from '../../../src/link-routing/answers/answer';
import type { VisitedLink } from '../../../src/link-routing/visited-link/visited-link';
import type { Visitor } from '../../../src/link-routing/visitor/visitor';
import { aVisitedAndroidApp, aVisitedIosApp, aVisitedLink, aVisitedProject, aVisitor } from '../builders';

const hosts = new LinkHosts(new URL('https://go.example.com'), new URL('https://api.example.com'));
const contents = new AnswerContents(
  hosts,
  () => null,
  () => null,
);
const withToken = new AnswerContents(
  hosts,
  () => 'To_ken-1',
  () => 'Click-1',
);
const address = 'https://summer.go.example.com/sale';
/** iOS opens the app for a link on another host than that of the page. */
const opener = 'https://summer-open.go.example.com/sale';

const project = aVisitedProject({
  iosApps: new Map([
    ['in store', aVisitedIosApp({ appstoreId: '42' })],
    ['in no store', aVisitedIosApp({ name: 'Beta', bundleId: 'com.example.beta' })],
    ['opens nothing', aVisitedIosApp({ appstoreId: '43', paths: [] })],
  ]),
  androidApps: new Map([['app', aVisitedAndroidApp({ name: 'Store', packageName: 'com.example.store' })]]),
});

interface Visit {
  link?: Partial<VisitedLink>;
  visitor?: Partial<Visitor>;
  escape?: keyof typeof builtInEscapes.ways;
  visitorQuery?: string;
  wasOfferedApp?: boolean;
  customDomain?: string;
  onOpenHost?: boolean;
}

const aVisit = ({
  link,
  visitor,
  escape,
  visitorQuery = '',
  wasOfferedApp = false,
  customDomain,
  onOpenHost = false,
}: Visit = {}): ParsedVisit => ({
  project: {
    ...project,
    customDomain: customDomain ?? null,
    ...(onOpenHost && { opener: project.visited, visited: project.opener }),
  },
  link: aVisitedLink({ id: 'l', ...link }),
  path: 'sale' as LinkPath,
  visitor: aVisitor('desktop', visitor),
  visitorQuery,
  wasOfferedApp,
  escape: escape === undefined ? null : { address: builtInEscapes.ways[escape]!, via: 'browser-page' },
});

const social = {
  socialTitle: 'Sale',
  socialDescription: 'Half price.',
  socialImageUrl: destinationUrl.parse('https://p.example/x.png'),
};
const card = { title: 'Sale', description: 'Half price.', imageUrl: 'https://p.example/x.png' };
const noCard = { description: null, imageUrl: null };
const params = [['ct', 'link']] as const;

test.each<[string, Visit, string]>([
  ['without parameters', {}, address],
  ['with parameters', { visitorQuery: 'a=1&b' }, `${address}?a=1&b`],
  [
    'with characters that URIs lack',
    { visitorQuery: 'a[]={"b"|c}^`<\\>&d=100%&e=%zz%41' },
    `${address}?a%5B%5D=%7B%22b%22%7Cc%7D%5E%60%3C%5C%3E&d=100%25&e=%25zz%41`,
  ],
  ['with all others', { visitorQuery: "a=-._~!$&'()*+,;=:@/?%7e" }, `${address}?a=-._~!$&'()*+,;=:@/?%7e`],
  ['with bytes outside ASCII', { visitorQuery: 'a=\u00fc#' }, `${address}?a=%FC%23`],
  ['on a custom domain', { customDomain: 'links.example.org' }, 'https://links.example.org/sale'],
])('urlOf returns the URL of a visit %s', (_, visit, url) => {
  expect(contents.urlOf(aVisit(visit))).toBe(url);
});

test.each<[Partial<Visitor>, 'ios' | 'android' | null]>([
  [{ platform: 'ios' }, 'ios'],
  [{ platform: 'android' }, 'android'],
  [{ platform: 'desktop' }, null],
  [{ platform: 'ios', robot: true }, null],
  [{ platform: 'android', robot: true }, null],
])('the phone platform of %j is %p', (visitor, phone) => {
  expect(phonePlatformOf(aVisit({ visitor }).visitor)).toBe(phone);
});

const play = 'https://play.google.com/store/apps/details?id=com.example.store';

test('the Play Store URL contains the parameters of link and visitor, and the token', () => {
  expect(contents.playStoreUrl(play, aVisit(), 'store')).toBe(play);
  expect(withToken.playStoreUrl(play, aVisit({ link: { referrerParams: params }, visitorQuery: 'a=1' }), 'store')).toBe(
    `${play}&referrer=${encodeURIComponent('ct=link&a=1&deferred_link=To_ken-1')}`,
  );
});

test.each<[string, Visit, object]>([
  ['its social card', { link: social }, card],
  ['its host if it has no title', {}, { title: 'summer.go.example.com', ...noCard }],
  [
    'its host for an empty title',
    { link: { socialTitle: '', socialDescription: '' } },
    { title: 'summer.go.example.com', description: '', imageUrl: null },
  ],
])('the preview of a link shows %s', (_, visit, shown) => {
  expect(contents.preview(aVisit(visit))).toEqual({ url: address, siteName: 'summer.go.example.com', ...shown });
});

test.each<[destination: string, attemptedBy: Visitor['platform'][]]>([
  ['mailto:ann@example.com', ['ios', 'android', 'desktop']],
  ['tel:+4930123', ['ios', 'android']],
  ['sms:+4930123', ['ios', 'android']],
  ['itms-apps://apps.apple.com/app/id42', ['ios']],
  ['market://details?id=com.example.shop', ['android']],
  ['whatsapp://send?text=a', []],
  ['shop://sale', []],
])('the page of %s opens it without a tap on %j', (destination, attemptedBy) => {
  const isAttempted = (visitor: Partial<Visitor>) =>
    contents.otherScheme({ kind: 'other-scheme', destination }, aVisit({ visitor })).isAttempted;
  const platforms = ['ios', 'android', 'desktop'] as const;
  expect(platforms.filter((platform) => isAttempted({ platform }))).toEqual(attemptedBy);
  expect(platforms.filter((platform) => isAttempted({ platform, robot: true }))).toEqual([]);
  expect(platforms.filter((platform) => isAttempted({ platform, inAppBrowser: true }))).toEqual([]);
});

test('the page of another scheme shows the card, and a way out of an in-app browser', () => {
  const mail = { kind: 'other-scheme', destination: 'mailto:ann@example.com' } as const;
  const { destination } = mail;
  expect(contents.otherScheme(mail, aVisit({ link: social }))).toEqual({
    destination,
    isAttempted: true,
    browserUrl: null,
    ...card,
  });
  expect(
    contents.otherScheme(mail, aVisit({ visitor: { inAppBrowser: true }, escape: 'x_safari', visitorQuery: 'a=1' })),
  ).toMatchObject({
    isAttempted: false,
    browserUrl: `x-safari-${address}?a=1&_via=browser-page`,
  });
});

test('the get-the-app page copies the URL, with the token if one is issued', () => {
  const wanted = { appName: 'Shop', storeUrl: 'https://apps.apple.com/app/id42' };
  expect(contents.getTheApp(wanted, aVisit({ link: { iosAppId: 'in store' }, visitorQuery: 'a=1' }))).toEqual({
    ...wanted,
    clipboardText: `${address}?a=1`,
    openUrl: `${opener}?a=1&_via=open`,
    title: 'Shop',
    ...noCard,
  });
  expect(withToken.getTheApp(wanted, aVisit({ link: { ...social, iosAppId: 'in store' } }))).toEqual({
    ...wanted,
    clipboardText: `${address}?deferred_link=To_ken-1`,
    openUrl: `${opener}?_via=open`,
    ...card,
  });
});

test('the get-the-app page offers the app to visitors who have not tried it yet', () => {
  const wanted = { appName: 'Shop', storeUrl: 'https://apps.apple.com/app/id42' };
  expect(
    contents.getTheApp(wanted, aVisit({ link: { iosAppId: 'in store' }, wasOfferedApp: true })).openUrl,
  ).toBeNull();
});

test('the get-the-app page does not offer to open an app without paths', () => {
  const wanted = { appName: 'Shop', storeUrl: 'https://apps.apple.com/app/id43' };
  expect(contents.getTheApp(wanted, aVisit({ link: { iosAppId: 'opens nothing' } })).openUrl).toBeNull();
});

const iosPage = (fallback: RegularAnswer): InAppBrowserPage => ({
  kind: 'in-app-browser',
  app: { platform: 'ios', name: 'Shop' },
  fallback,
});
const androidPage = (fallback: RegularAnswer): InAppBrowserPage => ({
  kind: 'in-app-browser',
  app: { platform: 'android', name: 'Store', packageName: 'com.example.store' },
  fallback,
});
const redirect: RegularAnswer = { kind: 'redirect', location: 'https://d.example/?a=1' };
const intent = (fallback: string) =>
  `intent://summer.go.example.com/sale#Intent;scheme=https;package=com.example.store;S.browser_fallback_url=${encodeURIComponent(fallback)};end`;

test.each<[string, InAppBrowserPage, Visit, object]>([
  [
    'on iOS, before a redirect',
    iosPage(redirect),
    {},
    {
      appName: 'Shop',
      openUrl: `${opener}?_via=open`,
      continueUrl: 'https://d.example/?a=1',
      browserUrl: null,
      title: 'Shop',
      ...noCard,
    },
  ],
  [
    'on iOS, before the landing page',
    iosPage({ kind: 'landing' }),
    { link: social, visitorQuery: 'a=1', escape: 'x_safari' },
    {
      appName: 'Shop',
      openUrl: `${opener}?a=1&_via=open`,
      continueUrl: `${address}?a=1&_via=page`,
      browserUrl: `x-safari-${address}?a=1&_via=browser-page`,
      ...card,
    },
  ],
  [
    'on the open host, where “Continue” stays',
    iosPage({ kind: 'landing' }),
    { onOpenHost: true, escape: 'x_safari' },
    {
      appName: 'Shop',
      openUrl: `${address}?_via=open`,
      continueUrl: `${opener}?_via=page`,
      browserUrl: `x-safari-${address}?_via=browser-page`,
      title: 'Shop',
      ...noCard,
    },
  ],
  [
    'on an iPad that calls itself a Macintosh',
    iosPage({ kind: 'get-the-app', appName: 'Shop', storeUrl: 'https://apps.apple.com/app/id42' }),
    { visitor: { macintosh: true }, escape: 'instagram' },
    {
      appName: 'Shop',
      openUrl: `${opener}?_via=ipad-open`,
      continueUrl: `${address}?_via=ipad-page`,
      browserUrl: `instagram://extbrowser/?url=${encodeURIComponent(`${address}?_via=ipad-browser-page`)}`,
      title: 'Shop',
      ...noCard,
    },
  ],
  [
    'on Android, before a redirect',
    androidPage(redirect),
    { escape: 'intent' },
    {
      appName: 'Store',
      openUrl: intent('https://d.example/?a=1'),
      continueUrl: 'https://d.example/?a=1',
      browserUrl: 'intent://summer.go.example.com/sale?_via=browser-page#Intent;scheme=https;end',
      title: 'Store',
      ...noCard,
    },
  ],
  [
    'on Android, before the Play Store',
    androidPage({ kind: 'play-store', page: play }),
    {},
    {
      appName: 'Store',
      openUrl: intent(play),
      continueUrl: `${address}?_via=page`,
      browserUrl: null,
      title: 'Store',
      ...noCard,
    },
  ],
])('the in-app browser page %s', (_, page, visit, offered) => {
  expect(contents.inAppBrowser(page, aVisit(visit))).toEqual(offered);
});

const stores = { iosAppId: 'in store', androidAppId: 'app' };

test.each<[string, Visit, object]>([
  ['nothing', {}, { title: 'summer.go.example.com', ...noCard, appStoreUrl: null, playStoreUrl: null, ipadUrl: null }],
  [
    'apps and a social card',
    { link: { ...social, ...stores, referrerParams: params }, visitorQuery: 'a=1' },
    {
      url: `${address}?a=1&_via=qr`,
      ...card,
      appStoreUrl: 'https://apps.apple.com/app/id42?ct=link',
      playStoreUrl: `${play}&referrer=ct%3Dlink%26a%3D1`,
      ipadUrl: null,
    },
  ],
  ['an app in no store', { link: { iosAppId: 'in no store' } }, { appStoreUrl: null, playStoreUrl: null }],
  [
    'an app, for a Macintosh that may be an iPad',
    { link: { iosAppId: 'in store' }, visitor: { macintosh: true } },
    { ipadUrl: `${opener}?_via=ipad` },
  ],
  ['nothing for an iPad, for a Macintosh', { visitor: { macintosh: true } }, { ipadUrl: null }],
  [
    'an app, for a Macintosh in an in-app browser',
    { link: { iosAppId: 'in no store' }, visitor: { macintosh: true, inAppBrowser: true } },
    { ipadUrl: `${opener}?_via=ipad` },
  ],
  [
    'an app, for a Macintosh in an in-app browser that was offered it',
    { link: { iosAppId: 'in no store' }, visitor: { macintosh: true, inAppBrowser: true }, wasOfferedApp: true },
    { ipadUrl: null },
  ],
  [
    'an app without paths, for a Macintosh that may be an iPad',
    { link: { iosAppId: 'opens nothing' }, visitor: { macintosh: true } },
    { ipadUrl: `${address}?_via=ipad` },
  ],
  [
    'only an Android app, for an iPhone',
    { link: { androidAppId: 'app' }, visitor: { platform: 'ios' } },
    { appStoreUrl: null, playStoreUrl: play, lacksOwnStore: true },
  ],
  [
    'only an iOS app, for an Android phone',
    { link: { iosAppId: 'in store' }, visitor: { platform: 'android' } },
    { appStoreUrl: 'https://apps.apple.com/app/id42', playStoreUrl: null, lacksOwnStore: true },
  ],
  ['its own store, for an iPhone', { link: stores, visitor: { platform: 'ios' } }, { lacksOwnStore: false }],
  ['its own store, for an Android phone', { link: stores, visitor: { platform: 'android' } }, { lacksOwnStore: false }],
  ['only an Android app, for a computer', { link: { androidAppId: 'app' } }, { lacksOwnStore: false }],
  [
    'an app in no store, for a Macintosh',
    { link: { iosAppId: 'in no store' }, visitor: { macintosh: true } },
    { ipadUrl: null },
  ],
])('the landing page of a link with %s', (_, visit, landing) => {
  // The landing page has no token, because tokens are single-use and belong to phones.
  expect(withToken.landing(aVisit(visit))).toMatchObject({ url: `${address}?_via=qr`, ...landing });
});
