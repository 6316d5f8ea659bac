import type { AndroidApp, IosApp } from '../../../clients/typescript/src/index';
import { type UserAgentName, userAgents } from '../../link-routing/user-agents';
import { aDynamicLink, anAndroidApp, anIosApp, aProject } from '../../support/builders';
import { explainVisit, readAnswer, visit } from './read-answer';
import { fc, runs } from '../../support/properties';
import { fixture, serviceFixture } from '../../support/fixtures';

// For any link, visitor and query the explanation equals the HTTP response.

let iosApps: IosApp[];
let androidApps: AndroidApp[];

const on = serviceFixture();
const account = fixture(() => on.anAccount('enterprise'));
const project = fixture(() => aProject(on, account.key, { allowed_schemes: ['mailto', 'shop'] }));
beforeAll(async () => {
  const of = [on, account.key, project.id] as const;
  iosApps = [
    await anIosApp(...of, { name: 'In “Store” & <b>', appstore_id: '1234567890' }),
    await anIosApp(...of, { name: 'In no store' }),
  ];
  androidApps = [
    await anAndroidApp(...of, { name: "App's", package_name: 'com.example.shop' }),
    await anAndroidApp(...of, { android_stores: { appgallery: '100000001', amazon: 'com.example.fire' } }),
  ];
});

const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const url = fc.constantFrom(
  'https://example.com/',
  'https://example.com/p?own=1&ct=own&_via=own#part',
  'https://exämple.com:8443/ä?ö=%zz&"<>\'',
  'http://127.0.0.1/?a&a&&=b',
  'https://play.google.com/store/apps/details?id=com.example.shop&referrer=ct%3Down%26deferred_link%3Down#part',
);
const destination = fc.oneof(
  { weight: 4, arbitrary: url },
  fc.constantFrom('mailto:a@b.example?subject="<b>&\'', 'shop://a?a=1#b'),
);
const shownText = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('<b>&amp;"', "it's", ' '));
/** Names with a meaning for stores, for this service, or in JavaScript. */
const names = 'x referrer ct pt utm_source _via deferred_link __proto__ ä %5Fvia [] +'.split(' ').concat('a b');

const ruleLists = [
  [
    { when: { platforms: ['ios', 'ipados'], languages: ['de', 'nl'] }, then: { store: true } },
    { when: { platforms: ['ios', 'ipados'] }, then: { url: 'mailto:a@b.example' } },
    { when: { query: { x: null } }, then: { url: 'https://example.com/x', params: { x: '2', ct: 'rule' } } },
  ],
  [
    { when: { browsers: ['Instagram', 'Chrome'] }, then: { app: true } },
    { when: { qr: true }, then: { store: true } },
    { when: {}, then: { url: 'https://play.google.com/store/apps/details?id=com.example.shop' } },
  ],
];

const linkFields = fc.record(
  {
    desktop_url: sometimes(destination),
    ios_fallback_url: sometimes(destination),
    android_fallback_url: sometimes(destination),
    ios_app: fc.constantFrom(null, 0, 1),
    android_app: fc.constantFrom(null, 0, 1),
    ios_deferred_deep_link: fc.boolean(),
    social_title: sometimes(shownText),
    social_description: sometimes(shownText),
    social_image_url: sometimes(url),
    rules: sometimes(fc.constantFrom(...ruleLists)),
    referrer_params: sometimes(fc.dictionary(fc.constantFrom(...names), shownText, { maxKeys: 3 })),
  },
  { requiredKeys: ['ios_app', 'android_app', 'ios_deferred_deep_link'] },
);

/** One `name=value`, encoded or not, reserved names included. */
const pair = fc
  .tuple(
    fc.constantFrom(...names, '_%76ia', 'deferred%5Flink', ''),
    fc.constantFrom('=', '', '=='),
    fc.constantFrom(
      ...'1 page ipad ipad-page browser-page pag%65 %7e % %zz %ff + ü 😀 " \'<> a?b ct%3D1%26deferred_link%3D%zz%26b'.split(
        ' ',
      ),
    ),
  )
  .map((parts) => parts.join(''));
const visitorQuery = sometimes(fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&')));

/** Encodes like browsers, because a request line contains no spaces and only ASCII. */
const onTheWire = (query: string): string => query.replace(/ |[^\x00-\x7f]+/g, encodeURIComponent);

const words = [...'iPhone Android Macintosh Xbox bot Slackbot iOS FBIOS ü " \\'.split(' '), 'Instagram 1'];
/** Devices whose vendor has a store. */
const ofVendors = ['JNY-LX2; HMSCore 6.9.0.302', 'KFTRWI', 'SM-S918B'].map((model) =>
  userAgents.pixel.replace('Pixel 8', model),
);
const userAgent = sometimes(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...Object.values(userAgents), ...ofVendors) },
    fc
      .array(fc.constantFrom(...words, 'Mozilla/5.0 (', ' ', '\t', ';', 'x'.repeat(700)), { maxLength: 6 })
      .map((parts) => parts.join('')),
  ),
);
const clientHint = sometimes(
  fc.constantFrom('"Android"', '"iOS"', '"macOS"', '"Windows"', '"Unknown"', '', ' ios ', 'ü', '"'.repeat(70)),
);

const long = 'ü'.repeat(200);
const acceptLanguage = sometimes(
  fc.constantFrom('de-AT,de;q=0.9', ' ja ', 'nl, pl;q=0.5', 'fr;q=0, en', `${long},it`, `${long}${long},it`, ''),
);

const apps = ['com.whatsapp', 'com.example.shop', ' com.example.shop ', 'com.example.reader'];
const requestedWith = sometimes(fc.constantFrom(...apps, 'XMLHttpRequest', 'ü', ''));

const headers = fc.record({ userAgent, clientHint, acceptLanguage, requestedWith });

/** Visitors of whom only the platform is known, and a user agent of each. */
const platform = fc.constantFrom<[platform: string, inApp: string, UserAgentName]>(
  ['ios', 'false', 'iphone'],
  ['android', 'false', 'pixel'],
  ['desktop', 'false', 'desktop'],
  ['ios', 'true', 'instagramOnIphone'],
  ['android', 'true', 'instagramOnAndroid'],
);

test('the number of an app in AppGallery gets its letter', () => {
  expect(androidApps[1]!.android_stores).toMatchObject({ appgallery: 'C100000001' });
});

test('explanations equal the answers to visits', async () => {
  await fc.assert(
    fc.asyncProperty(
      linkFields,
      visitorQuery,
      headers,
      platform,
      async (fields, query, headers, [platform, inApp, name]) => {
        const { ios_app, android_app, ...given } = fields;
        const link = await aDynamicLink(on, account.key, project.id, {
          desktop_url: undefined,
          ...given,
          ...(ios_app !== null && { ios_app_id: iosApps[ios_app]!.id }),
          ...(android_app !== null && { android_app_id: androidApps[android_app]!.id }),
        });
        const sent = { path: link.custom_path, query: query === undefined ? undefined : onTheWire(query) };
        const real = await visit(on, project.subdomain, { ...sent, ...headers });
        const parameters = {
          user_agent: headers.userAgent ?? '',
          client_hint: headers.clientHint,
          accept_language: headers.acceptLanguage,
          requested_with: headers.requestedWith,
          query,
        };
        const place = { projectId: project.id, linkId: link.id };
        const { answer, steps } = await explainVisit(on, account.key, place, parameters);
        expect(answer).toEqual(readAnswer(real));
        // The last rule taken decided the answer, or the button "Continue" of the page.
        expect(steps.map(({ rule }) => rule)).toContain(ruleBehind(answer.kind) ?? 'parameters');
        expect(steps.filter(({ outcome }) => outcome === 'taken')).toHaveLength(
          answer.kind === 'in_app_browser' ? 2 : 1,
        );

        // Rules compare more than the platform.
        if (fields.rules) return;
        const byPlatform = await explainVisit(on, account.key, place, { platform, in_app_browser: inApp, query });
        const byName = readAnswer(await visit(on, project.subdomain, { ...sent, userAgent: userAgents[name] }));
        // Only a user agent tells how to leave its app.
        if (byName.page) byName.page.links = byName.page.links.filter(({ role }) => role !== 'open_browser');
        expect(byPlatform.answer).toEqual(byName);
      },
    ),
    runs(250, 12),
  );
});

const ruleBehind = (kind: string): string | undefined =>
  ({ preview: 'preview', in_app_browser: 'in_app_browser', get_the_app: 'get_the_app', landing: 'landing_page' })[kind];
