import {
  androidStorePage,
  appStoreUrl,
  playStoreAppOf,
  playStorePage,
  playStoreUrl,
} from '../../../src/link-routing/answers/store-urls';
import { fc } from '../../support/properties';

type Params = Record<string, string>;

test.each<[string, Params, string, string]>([
  ['nothing', {}, '', ''],
  ["the link's campaign", { pt: '117', ct: 'a sale', mt: '8', at: '10l3X' }, '', '?pt=117&ct=a%20sale&mt=8&at=10l3X'],
  ["the visitor's, as they are spelled", {}, 'ct=a+b%2f&pt=%31', '?ct=a+b%2f&pt=%31'],
  ["the visitor's before the link's", { ct: 'link', at: 'link' }, 'ct=visitor', '?at=link&ct=visitor'],
  ['of others, nothing', { utm_source: 'mail', ctx: '1' }, 'x=1&app=2&CT=3&_ct=4&ct2=5', ''],
  ['names that only look like them, nothing', {}, 'c%74%00=1&__proto__=1&constructor=2&toString', ''],
  ['what only decodes to them', {}, '%63t=1', '?%63t=1'],
  ['a custom product page and an event', { ppid: 'link' }, 'eventid=7&ppid=45812c9b', '?eventid=7&ppid=45812c9b'],
  ['the custom product page of the link', { ppid: '45812c9b' }, 'PPID=1', '?ppid=45812c9b'],
  ['not what would end it', { ct: 'a&b=c#d' }, '', '?ct=a%26b%3Dc%23d'],
])('the App Store URL has %s', (_, params, visitorQuery, query) => {
  expect(appStoreUrl('42', Object.entries(params), visitorQuery)).toBe(`https://apps.apple.com/app/id42${query}`);
});

const page = 'https://play.google.com/store/apps/details?id=com.example.shop';

test.each<[string, Params, string, string | null, string | null]>([
  ['nothing', {}, '', null, null],
  ["the link's", { utm_source: 'a letter', utm_content: 'a&b' }, '', null, 'utm_source=a%20letter&utm_content=a%26b'],
  ["the visitor's, as they are spelled", {}, 'x=%7e+%2B&y', null, 'x=%7e+%2B&y'],
  ["the visitor's in place of the link's", { a: '1', b: '2' }, 'a=3', null, 'b=2&a=3'],
  ['the token', {}, '', 'To_ken-1', 'deferred_link=To_ken-1'],
  ['the token, last', { a: '1' }, 'b=2', 'To_ken-1', 'a=1&b=2&deferred_link=To_ken-1'],
  ["the token in place of the link's", { deferred_link: 'x' }, 'a=1', 'To_ken-1', 'a=1&deferred_link=To_ken-1'],
  ["the link's where there is no token", { deferred_link: 'x' }, 'a=1', null, 'deferred_link=x&a=1'],
  ['a lone percent sign', {}, 'x=%', null, 'x=%'],
  ["the visitor's own, as its parameters", {}, 'referrer=utm_source%3Da%26b%3Db&x=1', null, 'utm_source=a&b=b&x=1'],
  ["the link's own, as its parameters", { referrer: 'a=1&b=2' }, 'b=3', null, 'a=1&b=3'],
  ["the visitor's own in place of the link's", { a: '1', b: '2' }, 'referrer=a%3D3', null, 'b=2&a=3'],
  ["the visitor's own, as it is spelled", {}, 'referrer=a=%257e+%2525%26%26b', null, 'a=%7e+%25&b'],
  ["nothing of the visitor's empty one", {}, 'referrer=&referrer', null, null],
  ["no reserved parameter of the visitor's own", {}, 'referrer=deferred_link%3Dx%26_via%3Dy%26a%3D1', null, 'a=1'],
  ['no reserved parameter in any spelling', {}, 'referrer=deferred%25%35Flink%3Dx%zz%26%5Fvia%26a', null, 'a'],
])('the install referrer contains %s', (_, params, visitorQuery, token, referrer) => {
  const url = playStoreUrl(page, Object.entries(params), visitorQuery, token);
  if (referrer === null) return expect(url).toBe(page);
  expect(url).toMatch(/^[\x21-\x7e]+$/);
  expect(url.startsWith(`${page}&referrer=`)).toBe(true);
  expect([...new URL(url).searchParams.keys()]).toEqual(['id', 'referrer']);
  // Google Play decodes the query once; the app decodes the referrer again.
  expect(decodeURIComponent(url.slice(`${page}&referrer=`.length))).toBe(referrer);
});

test.each<[string, Params, string, string | null, string]>([
  // Without anything to add, the URL keeps its spelling.
  ['?referrer=a%3D1&id=x#top', {}, '', null, '?referrer=a%3D1&id=x#top'],
  ['?id=x', { utm_source: 'news' }, '', null, '?id=x&referrer=utm_source%3Dnews'],
  ['?id=x&hl=de#top', { a: '1' }, 'b=2', 'T', '?id=x&hl=de&referrer=a%3D1%26b%3D2%26deferred_link%3DT#top'],
  ['?referrer=a%3D1%26b%3d%7e&id=x', {}, 'c=3', null, '?id=x&referrer=a%3D1%26b%3d%7e%26c%3D3'],
  ['?id=x&referrer=a%3Dold%26c%3D1', { a: 'news' }, '', null, '?id=x&referrer=c%3D1%26a%3Dnews'],
  ['?id=x&referrer=a%3D1', { a: '2' }, 'a=3', null, '?id=x&referrer=a%3D3'],
  ['?id=x&referrer=a%3D1', {}, 'referrer=a%3D2%26b%3D3', null, '?id=x&referrer=a%3D2%26b%3D3'],
  ['?id=x&referrer=campaign', {}, 'a=1', null, '?id=x&referrer=campaign%26a%3D1'],
  ['?id=x&referrer=deferred_link%3Dold', {}, '', 'T', '?id=x&referrer=deferred_link%3DT'],
  // The Play Store reads these itself.
  ['?id=x', { listing: 'summer' }, 'a=1', null, '?id=x&listing=summer&referrer=a%3D1'],
  ['?id=x', {}, 'listing=summer&hl=de&gl=DE', null, '?id=x&listing=summer&hl=de&gl=DE'],
  ['?id=x&hl=en&listing=o', { listing: 'l' }, 'lis%74ing=v&hl=de', null, '?id=x&lis%74ing=v&hl=de'],
  ['?id=x', {}, 'referrer=listing%3Da&Listing=b', null, '?id=x&referrer=listing%3Da%26Listing%3Db'],
  // Parameters of a visitor do not choose the app.
  ['?id=x', {}, 'id=y&a=1', null, '?id=x&referrer=id%3Dy%26a%3D1'],
])(
  'a Play Store page %s with the parameters %j, %j and the token %p is %s',
  (query, params, visitorQuery, token, to) => {
    const base = 'https://play.google.com/store/apps/details';
    expect(playStoreUrl(`${base}${query}`, Object.entries(params), visitorQuery, token)).toBe(`${base}${to}`);
  },
);

test.each<[string, Params, string, string | null, string]>([
  ['', {}, '', null, ''],
  ['', { a: '1' }, 'hl=de&listing=x', 'T', '?referrer=a%3D1%26hl%3Dde%26listing%3Dx%26deferred_link%3DT'],
  ['', {}, 'referrer=', null, ''],
])(
  'a page %j in AppGallery with the parameters %j, %j and the token %p is %j',
  (query, params, visitorQuery, token, to) => {
    const base = androidStorePage('appgallery', 'C1');
    expect(playStoreUrl(`${base}${query}`, Object.entries(params), visitorQuery, token)).toBe(`${base}${to}`);
  },
);

test.each<[string, string | null]>([
  ['https://play.google.com/store/apps/details?id=com.example.shop', 'com.example.shop'],
  ['http://play.google.com/store/apps/details?id=com.example.shop', 'com.example.shop'],
  ['https://play.google.com/store/apps/details?hl=de&id=com%2Eexample.shop&gl=DE#top', 'com.example.shop'],
  ['https://play.google.com/store/apps/details/The_Shop?id=com.example.shop', 'com.example.shop'],
  ['https://play.google.com/d?id=com.example.shop', 'com.example.shop'],
  ['https://play.google.com/store/apps/details', null],
  ['https://play.google.com/store/apps/details?hl=de', null],
  ['https://play.google.com/store/apps/details?id=', null],
  ['https://play.google.com/store/apps/details#?id=com.example.shop', null],
  ['https://play.google.com/store/apps/dev?id=42', null],
  ['https://play.google.com/store/search?q=shop&id=1', null],
  ['https://play.google.com/details?id=com.example.shop', null],
  ['https://play.google.com:8443/store/apps/details?id=com.example.shop', null],
  ['https://play.google.com.example/store/apps/details?id=com.example.shop', null],
  ['https://example.com/?u=https://play.google.com/store/apps/details?id=com.example.shop', null],
])('the app of the Play Store page %s is %p', (url, packageName) => {
  expect(playStoreAppOf(url)).toBe(packageName);
});

test('the installed app reads arbitrary parameters unchanged', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((value) => value.isWellFormed());
  const pairs = fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name });
  fc.assert(
    fc.property(pairs, pairs, (own, visitors) => {
      const visitorQuery = visitors.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
      const url = playStoreUrl(page, own, visitorQuery, 'To_ken-1');
      const referrer = new URL(url).searchParams.get('referrer')!;
      const read = [...new URLSearchParams(referrer)].filter(([name]) => name !== 'deferred_link');
      const names = new Set(visitors.map(([name]) => name));
      expect(read).toEqual([...own.filter(([name]) => !names.has(name)), ...visitors]);
      expect(referrer.endsWith('deferred_link=To_ken-1')).toBe(true);
    }),
  );
});

test('an invalid id cannot change the path', () => {
  expect(appStoreUrl('1/../../x?y#z', [], '')).toBe('https://apps.apple.com/app/id1%2F..%2F..%2Fx%3Fy%23z');
  for (const store of ['appgallery', 'amazon', 'samsung'] as const)
    expect(androidStorePage(store, '../a?b#c&d=e')).toMatch(/[/=]\.\.%2Fa%3Fb%23c%26d%3De$/);
  expect(playStorePage('a&referrer=b#c')).toBe('https://play.google.com/store/apps/details?id=a%26referrer%3Db%23c');
});
