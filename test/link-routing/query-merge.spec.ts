import { withParameters } from '../../src/link-routing/query-merge';
import { fc } from '../support/properties';

test.each<[string, string, [string, string][], string, string]>([
  ['nothing to add', 'https://e.com/p?a=1#f', [], '', 'https://e.com/p?a=1#f'],
  [
    "the link's own parameters",
    'https://e.com/',
    [['utm_source', 'news letter']],
    '',
    'https://e.com/?utm_source=news%20letter',
  ],
  ["the visitor's", 'https://e.com/', [], 'x=1&y', 'https://e.com/?x=1&y'],
  ['order: destination, link, visitor', 'https://e.com/?d=1', [['l', '2']], 'v=3', 'https://e.com/?d=1&l=2&v=3'],
  [
    "a link's parameter replaces the destination's",
    'https://e.com/?a=1&b=2',
    [['a', 'new']],
    '',
    'https://e.com/?b=2&a=new',
  ],
  ["a visitor's replaces both", 'https://e.com/?a=1&b=2', [['a', '2']], 'a=3', 'https://e.com/?b=2&a=3'],
  ['names are compared decoded', 'https://e.com/?%61=1&b+c=2', [], 'a=3&b%20c=4', 'https://e.com/?a=3&b%20c=4'],
  [
    'what is not replaced keeps its spelling',
    'https://e.com/?q=%7e+%2B&&z=%41',
    [['n', '1']],
    '',
    'https://e.com/?q=%7e+%2B&z=%41&n=1',
  ],
  [
    'several values of one source stay',
    'https://e.com/?tag=a&tag=b',
    [],
    'v=1&v=2',
    'https://e.com/?tag=a&tag=b&v=1&v=2',
  ],
  ['and are replaced together', 'https://e.com/?tag=a&tag=b', [], 'tag=c', 'https://e.com/?tag=c'],
  [
    'the fragment stays last',
    'https://e.com/p#/route?inner=1',
    [['a', '1']],
    'b=2',
    'https://e.com/p?a=1&b=2#/route?inner=1',
  ],
  ['invalid percent-encoding is compared as it stands', 'https://e.com/?%zz=1', [], '%zz=2', 'https://e.com/?%zz=2'],
  ['two names of invalid percent-encoding are two', 'https://e.com/?%zz=1', [], '%yy=2', 'https://e.com/?%zz=1&%yy=2'],
  [
    '__proto__ is a name',
    'https://e.com/?__proto__=1',
    [['constructor', 'x']],
    '__proto__=2',
    'https://e.com/?constructor=x&__proto__=2',
  ],
  [
    'characters that end a header or a URL are encoded',
    'https://e.com/',
    [['k\r\n', '#&=']],
    'a=#b',
    'https://e.com/?k%0D%0A=%23%26%3D&a=%23b',
  ],
  ['bytes outside ASCII are encoded', 'https://e.com/', [], 'a=\u00e9\u0000', 'https://e.com/?a=%E9%00'],
])('%s', (_, destination, params, visitor, expected) => {
  expect(withParameters(destination, params, visitor)).toBe(expected);
});

test("a merged URL is ASCII and keeps the destination's host, path and fragment", () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => value.isWellFormed());
  const latin1 = fc.array(fc.integer({ min: 0, max: 255 })).map((codes) => String.fromCharCode(...codes));
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.array(fc.tuple(text, text)),
      latin1,
      (url, params, visitor) => {
        const destination = new URL(url).href;
        const merged = withParameters(destination, params, visitor);
        expect(merged).toMatch(/^[\x21-\x7e]+$/);
        const [before, after] = [new URL(destination), new URL(merged)];
        expect([after.origin, after.pathname, after.hash]).toEqual([before.origin, before.pathname, before.hash]);
      },
    ),
  );
});
