import { destinationUrl, linkDestination } from '../../../src/shared/destination-url';
import type { Answer, RegularAnswer } from '../../../src/link-routing/answers/answer';
import { countsConversions, decideAnswer, isOwnApp, variantOf } from '../../../src/link-routing/answers/destination';
import { hostsOfSamePath, visitedAs } from '../../../src/link-routing/visited-link/own-address';
import type { VisitedLink, VisitedProject } from '../../../src/link-routing/visited-link/visited-link';
import type { Platform } from '../../../src/link-routing/visitor/device-platform';
import type { Visitor } from '../../../src/link-routing/visitor/visitor';
import { aVisitedAndroidApp, aVisitedIosApp, aVisitedLink, aVisitedProject, aVisitor } from '../builders';

const url = (text: string) => destinationUrl.parse(text);

/** The project has no app with the id `gone`. */
const project = aVisitedProject({
  iosApps: new Map([
    ['in store', aVisitedIosApp({ appstoreId: '42' })],
    ['in no store', aVisitedIosApp({ name: 'Beta', bundleId: 'com.example.beta' })],
    ['opens nothing', aVisitedIosApp({ appstoreId: '43', paths: [] })],
  ]),
  androidApps: new Map([
    ['app', aVisitedAndroidApp({ name: 'Shop', packageName: 'com.example.shop' })],
    ['opens nothing', aVisitedAndroidApp({ name: 'Shop', packageName: 'com.example.shop', paths: [] })],
  ]),
});

/** Returns the answer, and the rules behind it. */
function traced(
  link: Partial<VisitedLink>,
  visitor: Visitor,
  { query = '', wasOfferedApp = false } = {},
  of = project,
): [Answer, trace: string[]] {
  const trace: string[] = [];
  const note = (rule: string, finding: string) => trace.push(`${rule}: ${finding}`);
  return [decideAnswer(of, aVisitedLink(link), visitor, query, wasOfferedApp, note), trace];
}
const answer = (...visit: Parameters<typeof traced>): Answer => traced(...visit)[0];

const urls = {
  desktopUrl: url('https://d.example/'),
  iosFallbackUrl: url('https://i.example/'),
  androidFallbackUrl: url('https://a.example/'),
};
const apps = { iosAppId: 'in store', androidAppId: 'app' };
const { desktopUrl, iosFallbackUrl, androidFallbackUrl } = urls;
const deferred = { iosDeferredDeepLink: true };
const appStore = 'https://apps.apple.com/app/id42';
const goesTo = (location: string): Answer => ({ kind: 'redirect', location });
const landing: Answer = { kind: 'landing' };
const playStore: Answer = {
  kind: 'play-store',
  page: 'https://play.google.com/store/apps/details?id=com.example.shop',
};
const getTheApp: Answer = { kind: 'get-the-app', appName: 'Shop', storeUrl: appStore };

describe('the routing table', () => {
  /** The options of each platform in order of preference. The first one that the link has is the answer. */
  const preferences: Record<Platform, [has: (link: VisitedLink) => boolean, then: Answer][]> = {
    ios: [
      [(link) => link.iosDeferredDeepLink && link.iosAppId === 'in store', getTheApp],
      [(link) => link.iosFallbackUrl !== null, goesTo('https://i.example/')],
      [(link) => link.iosAppId === 'in store', goesTo(appStore)],
      [(link) => link.desktopUrl !== null, goesTo('https://d.example/')],
      [() => true, landing],
    ],
    android: [
      [(link) => link.androidFallbackUrl !== null, goesTo('https://a.example/')],
      [(link) => link.androidAppId === 'app', playStore],
      [(link) => link.desktopUrl !== null, goesTo('https://d.example/')],
      [() => true, landing],
    ],
    desktop: [
      [(link) => link.desktopUrl !== null, goesTo('https://d.example/')],
      [() => true, landing],
    ],
  };

  const values: { [K in keyof VisitedLink]?: VisitedLink[K][] } = {
    desktopUrl: [null, desktopUrl],
    iosFallbackUrl: [null, iosFallbackUrl],
    androidFallbackUrl: [null, androidFallbackUrl],
    iosAppId: [null, 'in store', 'in no store', 'gone'],
    androidAppId: [null, 'app', 'gone'],
    iosDeferredDeepLink: [false, true],
    socialTitle: [null, 'A title'],
  };
  const allLinks = Object.entries(values).reduce(
    (links, [name, each]) => links.flatMap((link) => each.map((value) => ({ ...link, [name]: value }))),
    [aVisitedLink()],
  );

  test.each<Platform>(['ios', 'android', 'desktop'])(
    '%s: every combination of link fields has the preferred answer',
    (platform) => {
      expect(allLinks).toHaveLength(384);
      for (const link of allLinks) {
        const expected = preferences[platform].find(([has]) => has(link))![1];
        expect(decideAnswer(project, link, aVisitor(platform), '', true)).toEqual(expected);
        for (const fields of [{}, { robot: true }, { macintosh: true }])
          expect(decideAnswer(project, link, aVisitor(platform, fields), '', false)).toEqual(expected);
        const app = {
          ios: link.iosAppId !== null && project.iosApps.has(link.iosAppId),
          android: link.androidAppId !== null && project.androidApps.has(link.androidAppId),
          desktop: false,
        }[platform];
        const inApp = aVisitor(platform, { inAppBrowser: true });
        expect(decideAnswer(project, link, inApp, '', true)).toEqual(expected);
        expect(decideAnswer(project, link, inApp, '', false)).toEqual(
          app ? expect.objectContaining({ kind: 'in-app-browser', fallback: expected }) : expected,
        );
        expect(decideAnswer(project, link, aVisitor(platform, { socialCrawler: true }), '', false)).toEqual(
          link.socialTitle === null ? expected : { kind: 'preview' },
        );
      }
    },
  );
});

describe('social crawlers', () => {
  const crawler = aVisitor('desktop', { socialCrawler: true, robot: true });

  test.each<[string, Partial<VisitedLink>]>([
    ['a title', { socialTitle: 'Sale' }],
    ['a description', { socialDescription: 'Half price.' }],
    ['a picture', { socialImageUrl: url('https://p.example/x.png') }],
  ])('get the preview of a link with %s, regardless of its other fields', (_, social) => {
    expect(answer({ ...urls, ...apps, ...deferred, ...social }, crawler)).toEqual({ kind: 'preview' });
    expect(answer(social, { ...crawler, platform: 'ios' }, { wasOfferedApp: true })).toEqual({ kind: 'preview' });
    expect(answer({ ...urls, ...social }, aVisitor('desktop', { robot: true }))).toEqual(goesTo('https://d.example/'));
  });

  test.each<[string, Partial<VisitedLink>]>([
    ['nothing social', {}],
    ['only empty texts', { socialTitle: '', socialDescription: '' }],
  ])('are redirected by a link with %s', (_, social) => {
    expect(answer({ ...urls, ...social }, crawler)).toEqual(goesTo('https://d.example/'));
  });
});

describe('in-app browsers', () => {
  // iOS opens no app that is in no association file. An `intent:` URL names the package.
  test('on iOS do not offer an app without paths, and on Android do', () => {
    const inApp = { inAppBrowser: true };
    const link = { iosAppId: 'opens nothing', androidAppId: 'opens nothing' };
    expect(answer(link, aVisitor('ios', inApp))).toEqual(goesTo('https://apps.apple.com/app/id43'));
    expect(answer(link, aVisitor('android', inApp))).toMatchObject({ kind: 'in-app-browser', fallback: playStore });
  });

  const shop = { name: 'Shop', packageName: 'com.example.shop' };
  test.each<[Platform, string, Partial<VisitedLink>, object]>([
    ['ios', 'in store', apps, { app: { platform: 'ios', name: 'Shop' }, fallback: goesTo(appStore) }],
    [
      'ios',
      'in no store',
      { iosAppId: 'in no store', desktopUrl },
      { app: { platform: 'ios', name: 'Beta' }, fallback: goesTo('https://d.example/') },
    ],
    ['android', 'in store', apps, { app: { ...shop, platform: 'android' }, fallback: playStore }],
  ])('on %s offer to open an app %s', (platform, _, link, page) => {
    expect(answer(link, aVisitor(platform, { inAppBrowser: true }))).toEqual({ kind: 'in-app-browser', ...page });
  });
});

test.each<[Platform, Partial<VisitedLink>, string]>([
  [
    'desktop',
    { desktopUrl: url('https://d.example/p?own=1&ct=own#part') },
    'https://d.example/p?own=1&ct=link&x=1#part',
  ],
  ['ios', { iosFallbackUrl: url('https://i.example/?x=own') }, 'https://i.example/?ct=link&x=1'],
  ['android', { androidFallbackUrl: url('https://a.example/') }, 'https://a.example/?ct=link&x=1'],
  ['ios', { iosAppId: 'in store' }, 'https://apps.apple.com/app/id42?ct=link'],
])('%s adds the parameters of link and visitor: %j', (platform, link, location) => {
  const referrerParams = [['ct', 'link']] as const;
  expect(answer({ ...link, referrerParams }, aVisitor(platform), { query: 'x=1' })).toEqual(goesTo(location));
});

describe('a destination that is a Play Store page', () => {
  const page = (id: string) => url(`https://play.google.com/store/apps/details?id=${id}&hl=de`);
  const own = page('com.example.shop');
  const inReferrer = (destination: string) => goesTo(`${destination}&referrer=ct%3Dlink%26x%3D1`);

  // Only the installed app of the link can claim a token, and only phones with Android install it.
  test.each<[Platform, string, Partial<VisitedLink>, Answer]>([
    ['android', "the link's app", { androidFallbackUrl: own, androidAppId: 'app' }, { kind: 'play-store', page: own }],
    ['android', 'another app', { androidFallbackUrl: page('x.y'), androidAppId: 'app' }, inReferrer(page('x.y'))],
    ['android', 'an app of no link', { androidFallbackUrl: own }, inReferrer(own)],
    ['android', 'a deleted app', { androidFallbackUrl: own, androidAppId: 'gone' }, inReferrer(own)],
    ['android', 'an app, as desktop_url', { desktopUrl: own }, inReferrer(own)],
    ['ios', "the link's app", { iosFallbackUrl: own, androidAppId: 'app' }, inReferrer(own)],
    ['desktop', "the link's app", { desktopUrl: own, androidAppId: 'app' }, inReferrer(own)],
  ])('%s, of %s: gets the parameters in its referrer', (platform, _, link, expected) => {
    const referrerParams = [['ct', 'link']] as const;
    const [decided, reasons] = traced({ ...link, referrerParams }, aVisitor(platform), { query: 'x=1' });
    expect(decided).toEqual(expected);
    expect(reasons.at(-1)).toBe('parameters: in_referrer');
  });
});

describe('a device whose vendor has a store of the app', () => {
  const ids = { appgallery: 'C1', amazon: 'com.example.shop' };
  const withStores: VisitedProject = {
    ...project,
    androidApps: new Map([['app', aVisitedAndroidApp({ androidStores: ids })]]),
  };
  const own = url('https://play.google.com/store/apps/details?id=com.example.shop');
  const other = url('https://play.google.com/store/apps/details?id=x.y');
  const inReferrer = 'parameters: in_referrer';
  const appGallery: Answer = { kind: 'play-store', page: 'https://appgallery.cloud.huawei.com/ag/n/app/C1' };
  const amazon = goesTo('https://www.amazon.com/gp/mas/dl/android?p=com.example.shop');

  test.each<[Visitor['androidStore'], string, Partial<VisitedLink>, Answer, string[]]>([
    ['appgallery', 'an app', {}, appGallery, ['android_store: taken', inReferrer]],
    ['amazon', 'an app', {}, amazon, ['android_store: taken', 'parameters: not_read']],
    ['samsung', 'an app', {}, playStore, ['android_store: no_store', 'play_store: taken', inReferrer]],
    [null, 'an app', {}, playStore, ['android_store: no_store', 'play_store: taken', inReferrer]],
    ['appgallery', 'a fallback', { androidFallbackUrl }, goesTo('https://a.example/?x=1'), ['parameters: merged']],
    ['appgallery', 'its page', { androidFallbackUrl: own }, appGallery, ['android_store: taken', inReferrer]],
    ['samsung', 'its page', { androidFallbackUrl: own }, { ...playStore, page: own }, [inReferrer]],
    ['amazon', 'another page', { androidFallbackUrl: other }, goesTo(`${other}&referrer=x%3D1`), [inReferrer]],
    ['amazon', 'no app', { androidAppId: null, desktopUrl }, goesTo('https://d.example/?x=1'), ['parameters: merged']],
  ])('%s, of a link with %s', (androidStore, _, link, expected, lastSteps) => {
    const visitor = aVisitor('android', { androidStore });
    const [decided, steps] = traced({ androidAppId: 'app', ...link }, visitor, { query: 'x=1' }, withStores);
    expect(decided).toEqual(expected);
    expect(steps.slice(-lastSteps.length)).toEqual(lastSteps);
    expect(steps.includes('android_fallback_url: other_store')).toBe(
      link.androidFallbackUrl === own && androidStore === 'appgallery',
    );
  });

  test('is offered the installed app first by the page for in-app browsers', () => {
    const visitor = aVisitor('android', { androidStore: 'amazon', inAppBrowser: true });
    const page = { kind: 'in-app-browser', fallback: amazon };
    expect(answer({ androidAppId: 'app' }, visitor, {}, withStores)).toMatchObject(page);
  });
});

test.each([
  ['desktop', aVisitor('desktop')],
  ['iOS', aVisitor('ios')],
  ['Android', aVisitor('android')],
  ['an in-app browser', aVisitor('ios', { inAppBrowser: true })],
  ['a preview', aVisitor('desktop', { socialCrawler: true })],
])('a disabled link answers %s with its page', (_, visitor) => {
  const everything = { ...apps, ...deferred, desktopUrl, iosFallbackUrl, socialTitle: 'Sale' };
  expect(answer({ ...everything, disabled: true }, visitor)).toEqual({ kind: 'disabled' });
});

describe('the decision trace', () => {
  const plain = 'preview: no_social_crawler, in_app_browser: own_browser,';
  const ios = `${plain} get_the_app: off, ios_fallback_url: not_set,`;
  const android = `${plain} android_fallback_url: not_set,`;
  const [onIos, onAndroid] = [aVisitor('ios'), aVisitor('android')];
  const crawler = aVisitor('desktop', { socialCrawler: true });
  const inAppOnIos = { ...onIos, inAppBrowser: true };
  const inAppOnAndroid = { ...onAndroid, inAppBrowser: true };
  const referrerParams = [['ct', '1']] as const;
  const inNoStore = { iosAppId: 'in no store', desktopUrl, referrerParams };
  const tel = { desktopUrl: linkDestination.parse('tel:1'), hasOtherSchemes: true };
  const toLanding = 'desktop_url: not_set, landing_page: taken';
  const toFallback = 'ios_fallback_url: taken, parameters: none';
  const onPlay = 'android_fallback_url: not_set, play_store: taken';
  const inApp = 'preview: no_social_crawler, in_app_browser:';
  const inAppIos = ios.slice(plain.length + 1);
  const [ofCampaign, merged] = ['parameters: campaign_only', 'parameters: merged'];

  test.each<[string, Partial<VisitedLink>, Visitor, query: string, trace: string]>([
    ['a disabled link', { disabled: true, desktopUrl }, onIos, '', 'disabled: taken'],
    ['a preview', { socialTitle: 'Sale' }, crawler, '', 'preview: taken'],
    ['no card', { desktopUrl }, crawler, '', 'preview: no_social_fields, desktop_url: taken, parameters: none'],
    ['a deferred link', { ...apps, ...deferred }, onIos, 'a=1', `${plain} get_the_app: taken, ${ofCampaign}`],
    ['no app', { ...deferred, iosFallbackUrl }, onIos, '', `${plain} get_the_app: no_app, ${toFallback}`],
    ['the App Store', { ...apps, referrerParams }, onIos, '', `${ios} app_store: taken, parameters: campaign_only`],
    ['no store', inNoStore, onIos, '', `${ios} app_store: no_store_id, desktop_url: taken, parameters: merged`],
    ['nothing on iOS', {}, onIos, '', `${ios} app_store: no_app, ${toLanding}`],
    ['a fallback', { androidFallbackUrl }, onAndroid, 'a=1', `${plain} android_fallback_url: taken, ${merged}`],
    ['the Play Store', apps, onAndroid, 'a=1', `${android} play_store: taken, parameters: in_referrer`],
    ['nothing on Android', {}, onAndroid, '', `${android} play_store: no_app, ${toLanding}`],
    ['a call', tel, aVisitor(), 'a=1', 'preview: no_social_crawler, desktop_url: taken, parameters: other_scheme'],
    ['an app inside another', apps, inAppOnAndroid, '', `${inApp} taken, ${onPlay}, parameters: none`],
    ['no app inside another', {}, inAppOnIos, '', `${inApp} no_app, ${inAppIos} app_store: no_app, ${toLanding}`],
  ])('%s', (_, link, visitor, query, trace) => {
    expect(traced(link, visitor, { query })[1].join(', ')).toBe(trace);
  });

  test('names an in-app browser on the way from our page', () => {
    expect(traced(apps, inAppOnIos, { wasOfferedApp: true })[1]).toContain('in_app_browser: from_our_page');
  });
});

describe('a destination with another scheme than http and https', () => {
  const mail = linkDestination.parse('mailto:ann@example.com?subject=Sale');
  const call = linkDestination.parse('tel:+4930123');
  const other = { hasOtherSchemes: true };
  const page = (destination: string): RegularAnswer => ({ kind: 'other-scheme', destination });
  const crawler = aVisitor('desktop', { socialCrawler: true });
  const referrerParams = [['utm_source', 'link']] as const;

  test.each<[string, Partial<VisitedLink>, Visitor, Answer]>([
    ['on a computer', { desktopUrl: mail }, aVisitor(), page(mail)],
    ['on a phone', { desktopUrl: mail }, aVisitor('android'), page(mail)],
    ['on a phone that has a better one', { desktopUrl: mail, iosFallbackUrl: call }, aVisitor('ios'), page(call)],
    ['on Android', { desktopUrl, androidFallbackUrl: call }, aVisitor('android'), page(call)],
    ['and parameters of the link', { desktopUrl: mail, referrerParams }, aVisitor(), page(mail)],
    ['for a robot', { desktopUrl: mail }, aVisitor('desktop', { robot: true }), page(mail)],
    ['for a crawler without a card', { desktopUrl: mail }, crawler, page(mail)],
    ['for a crawler with a card', { desktopUrl: mail, socialTitle: 'Sale' }, crawler, { kind: 'preview' }],
    [
      "inside another app's browser, with an app",
      { iosFallbackUrl: call, iosAppId: 'in store' },
      aVisitor('ios', { inAppBrowser: true }),
      { kind: 'in-app-browser', app: { platform: 'ios', name: 'Shop' }, fallback: page(call) },
    ],
  ])('%s has a page, and gets no parameters', (_, link, visitor, expected) => {
    expect(answer({ ...link, ...other }, visitor, { query: 'to=eve@example.com' })).toEqual(expected);
  });

  test('a web destination of the same link is a redirect with the parameters', () => {
    const link = { desktopUrl, iosFallbackUrl: call, ...other };
    expect(answer(link, aVisitor(), { query: 'a=1' })).toEqual(goesTo('https://d.example/?a=1'));
  });

  test('is never the visited address', () => {
    const texts = ['shop://summer.go.example.com/sale', 'mailto:sale', 'shop:sale', 'shop:///sale'];
    const destinations = texts.map((text) => linkDestination.parse(text));
    expect(hostsOfSamePath('sale', destinations)).toBeNull();
  });
});

describe('a destination that is the visited address', () => {
  const visited = 'https://summer.go.example.com/sale';
  const own = url(visited);
  const withDestinations = (fields: Partial<VisitedLink>, path = 'sale') => ({
    ...fields,
    hostsOfSamePath: hostsOfSamePath(
      path,
      (['desktopUrl', 'iosFallbackUrl', 'androidFallbackUrl'] as const).map((name) => fields[name] ?? null),
    ),
  });

  test.each([
    visited,
    `${visited}/`,
    `${visited}?a=1`,
    `${visited}#part`,
    'http://summer.go.example.com/sale',
    'https://SUMMER.go.example.com:443/sale',
    'https://summer.go.example.com:8443/sale',
    'https://summer.go.example.com./sale',
    'https://summer.go.example.com/s%61le',
  ])('leads to the landing page: %s', (address) => {
    expect(answer(withDestinations({ desktopUrl: url(address) }), aVisitor())).toEqual(landing);
  });

  test.each([
    'https://summer.go.example.com/sale2',
    'https://summer.go.example.com/Sale',
    'https://summer.go.example.com/sale//',
    'https://summer.go.example.com/sale%2F',
    'https://summer.go.example.com/sale%',
    'https://summer.go.example.com/',
    'https://winter.go.example.com/sale',
    'https://go.example.com/sale',
  ])('is not %s', (address) => {
    expect(answer(withDestinations({ desktopUrl: url(address) }), aVisitor())).toEqual(goesTo(url(address)));
  });

  test.each([
    ['sale.', `${visited}.`],
    ['sale。', `${visited}。`],
    // Bytes that are not UTF-8.
    ['sale\ufffd', `${visited}%BB`],
  ])('leads to the landing page, visited as %j', (path, address) => {
    const link = withDestinations({ desktopUrl: url(address) });
    expect(answer(link, aVisitor())).toEqual(goesTo(url(address)));
    expect(answer(visitedAs(aVisitedLink(link), path), aVisitor())).toEqual(landing);
  });

  test.each<[Platform, Partial<VisitedLink>, Answer]>([
    ['ios', { iosFallbackUrl: own, iosAppId: 'in store' }, goesTo(appStore)],
    ['ios', { iosFallbackUrl: own, desktopUrl }, goesTo('https://d.example/')],
    ['ios', { iosFallbackUrl: own, desktopUrl: own }, landing],
    ['android', { androidFallbackUrl: own, androidAppId: 'app' }, playStore],
    ['android', { androidFallbackUrl: own, desktopUrl }, goesTo('https://d.example/')],
    ['android', { androidFallbackUrl: own, desktopUrl: own }, landing],
    ['desktop', { iosFallbackUrl: own, androidFallbackUrl: own, desktopUrl }, goesTo('https://d.example/')],
  ])('gives way to the next choice on %s: %j', (platform, fields, expected) => {
    expect(answer(withDestinations(fields), aVisitor(platform))).toEqual(expected);
  });
});

test.each([
  [{}, 'com.example.shop', false],
  [{ androidAppId: 'app' }, 'com.example.shop', true],
  [{ androidAppId: 'app' }, 'com.example.other', false],
  [{ androidAppId: 'app' }, undefined, false],
  [{ androidAppId: 'gone' }, undefined, false],
])('a link with %j opens the app %s: %s', (link, packageName, expected) => {
  expect(isOwnApp(packageName, project, aVisitedLink(link))).toBe(expected);
});

test('clicks are identified if the link or its project counts conversions', () => {
  const both = [true, false].flatMap((one) => [true, false].map((other) => [one, other] as const));
  const counted = both.map(([one, other]) => countsConversions({ conversions: one }, { conversions: other }));
  expect(counted).toEqual([true, true, true, false]);
  const { clickIdParam } = project;
  expect(answer({ desktopUrl, conversions: true }, aVisitor())).toEqual({ ...goesTo(desktopUrl), clickIdParam });
});

test.each<[Platform, Partial<VisitedLink>, ofRule: boolean, string | null]>([
  ['desktop', { desktopUrl }, false, 'A'],
  ['desktop', {}, false, null],
  ['ios', { iosFallbackUrl }, false, null],
  ['ios', { iosFallbackUrl }, true, 'A'],
  ['android', { androidFallbackUrl }, false, null],
  ['android', { androidFallbackUrl }, true, 'A'],
])('the answer on %s with %j leads to a variant (of a rule: %s): %s', (platform, link, ofRule, expected) => {
  const variant = { name: 'A', ofRule };
  const given = answer({ ...link, variant }, aVisitor(platform));
  expect(variantOf(given)).toBe(expected);
  const page = answer({ ...link, variant, ...apps }, aVisitor(platform, { inAppBrowser: true }));
  if (page.kind === 'in-app-browser') expect(variantOf(page)).toBe(variantOf(page.fallback));
  expect(decideAnswer(project, aVisitedLink({ ...link, variant }), aVisitor(platform), '', false)).toEqual(given);
});

test('a link that is visited by another spelling has the hosts of its rules and variants too', () => {
  const of = (path: string) => aVisitedLink({ desktopUrl: url(`https://summer.go.example.com/${path}`) });
  const hostsOf = (one: VisitedLink) => [...(one.hostsOfSamePath?.values() ?? [])];
  const plain = of('b');
  expect(visitedAs(plain, 'A')).toBe(plain);
  const rules = [{ link: of('A') }, { link: of('b') }] as unknown as VisitedLink['rules'];
  const variants = [{ link: of('A') }] as unknown as VisitedLink['variants'];
  const seen = visitedAs({ ...of('A'), rules, variants }, 'A');
  expect(hostsOf(seen)).toEqual(['summer.go.example.com']);
  expect(seen.rules!.map((rule) => hostsOf(rule.link))).toEqual([['summer.go.example.com'], []]);
  expect(seen.variants!.map((variant) => hostsOf(variant.link))).toEqual([['summer.go.example.com']]);
  for (const parts of [{ rules }, { variants }])
    expect(visitedAs({ ...of('b'), ...parts }, 'A')).toMatchObject({ rules: parts.rules ? [{}, {}] : null });
});
