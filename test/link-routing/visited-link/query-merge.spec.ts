import { toUriQuery, withParameter, withParameters } from '../../../src/link-routing/visited-link/query-merge';
import { fc, runs } from '../../support/properties';

test.each<[string, string, [string, string][], string, string]>([
  ['nothing to add', 'p?a=1#f', [], '', 'p?a=1#f'],
  ["the link's own parameters", '', [['utm_source', 'a letter']], '', '?utm_source=a%20letter'],
  ["the visitor's", '', [], 'x=1&y', '?x=1&y'],
  ['order: destination, link, visitor', '?d=1', [['l', '2']], 'v=3', '?d=1&l=2&v=3'],
  ["a link's parameter replaces the destination's", '?a=1&b=2', [['a', 'new']], '', '?b=2&a=new'],
  ["a visitor's replaces both", '?a=1&b=2', [['a', '2']], 'a=3', '?b=2&a=3'],
  ['names are compared decoded', '?%61=1&b+c=2', [], 'a=3&b%20c=4', '?a=3&b%20c=4'],
  ['what is not replaced keeps its spelling', '?q=%7e+%2B&&z=%41', [['n', '1']], '', '?q=%7e+%2B&z=%41&n=1'],
  ['several values of one source stay', '?tag=a&tag=b', [], 'v=1&v=2', '?tag=a&tag=b&v=1&v=2'],
  ['and are replaced together', '?tag=a&tag=b', [], 'tag=c', '?tag=c'],
  ['the fragment stays last', 'p#/route?inner=1', [['a', '1']], 'b=2', 'p?a=1&b=2#/route?inner=1'],
  ['invalid percent-encoding is compared as it stands', '?%zz=1', [], '%zz=2', '?%zz=2'],
  ['two names of invalid percent-encoding are two', '?%zz=1', [], '%yy=2', '?%zz=1&%yy=2'],
  ['__proto__ is a name', '?__proto__=1', [['constructor', 'x']], '__proto__=2', '?constructor=x&__proto__=2'],
  ['characters that end a header or a URL are encoded', '', [['k\r\n', '#&=']], 'a=#b', '?k%0D%0A=%23%26%3D&a=%23b'],
  ['bytes outside ASCII are encoded', '', [], 'a=\u00e9\u0000', '?a=%E9%00'],
])('%s', (_, destination, params, visitor, expected) => {
  expect(withParameters(`https://e.com/${destination}`, params, visitor)).toBe(`https://e.com/${expected}`);
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

/** The definition that the cache must not change: three lists of pairs, of which later ones replace earlier ones by name. */
function mergedByDefinition(destination: string, params: [string, string][], visitor: string): string {
  if (params.length === 0 && visitor === '') return destination;
  const [, base, query = '', fragment] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(destination)!;
  const decoded = (name: string) => {
    const spaced = name.replaceAll('+', ' ');
    try {
      return decodeURIComponent(spaced);
    } catch {
      return spaced;
    }
  };
  const pairsOf = (text: string) =>
    text
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => ({ name: decoded(pair.split('=')[0]!), text: pair }));
  const ascii = visitor.replace(
    /[^\x21-\x7e]|#/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  const sources = [
    pairsOf(query),
    params.map(([name, value]) => ({ name, text: `${encodeURIComponent(name)}=${encodeURIComponent(value)}` })),
    pairsOf(ascii),
  ];
  const kept = sources.flatMap((pairs, at) =>
    pairs.filter(({ name }) => !sources.slice(at + 1).some((later) => later.some((pair) => pair.name === name))),
  );
  const merged = kept.map(({ text }) => text).join('&');
  return `${base}${merged && '?'}${merged}${fragment}`;
}

test('cached destinations merge as the definition says, also for links that share a destination', () => {
  // Few names in several spellings, so that sources replace each other often.
  const name = fc.constantFrom('a', '%61', 'b', 'b+c', 'b%20c', '%zz', '__proto__', '');
  const pair = fc.oneof(
    name,
    fc.tuple(name, fc.constantFrom('1', '%41', '=', 'é')).map((parts) => parts.join('=')),
  );
  const query = fc.array(pair, { maxLength: 5 }).map((pairs) => pairs.join('&'));
  const paramNames = fc.constantFrom('a', 'b', 'b c', '%zz', '__proto__', 'é');
  const params = fc.array(fc.tuple(paramNames, fc.constantFrom('', '1', 'x&y')), { maxLength: 3 });
  const destination = fc
    .tuple(query, fc.constantFrom('', '#', '#f?a=1'))
    .map(([text, fragment]) => new URL(`https://e.com/p${text && `?${text}`}${fragment}`).href);
  fc.assert(
    fc.property(destination, fc.array(fc.tuple(params, query), { minLength: 2, maxLength: 4 }), (url, visits) => {
      // Twice, so that the second visit of a link is answered from the cache.
      for (const [linkParams, visitor] of [...visits, ...visits])
        expect(withParameters(url, linkParams, visitor)).toBe(mergedByDefinition(url, linkParams, visitor));
    }),
    runs(2000),
  );
});

test.each([
  ['a=%20&b=%eF', 'a=%20&b=%eF'],
  ['a=%', 'a=%25'],
  ['a=%a', 'a=%25a'],
  ['a=%ag', 'a=%25ag'],
  ['a=%ga', 'a=%25ga'],
  ['a[]="^`{|}\\<>', 'a%5B%5D=%22%5E%60%7B%7C%7D%5C%3C%3E'],
])('%s is %s in a URL that Swift reads', (query, expected) => {
  expect(toUriQuery(query)).toBe(expected);
});

test.each([
  ['https://e.com/', 'https://e.com/?k=1'],
  ['https://e.com/?a=b&k=2#f', 'https://e.com/?a=b&k=1#f'],
])('%s with one more parameter is %s', (url, expected) => {
  expect(withParameter(url, 'k', '1')).toBe(expected);
});
