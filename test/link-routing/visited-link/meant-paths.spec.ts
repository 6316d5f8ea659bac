import { meantPaths } from '../../../src/link-routing/visited-link/meant-paths';

/** Characters that messengers and writers glue to an address, by kind. */
const glue: Record<string, string[]> = {
  'full stops and commas': '. , ; : ! … 。 、 ， ． ； ： ！ ？ ｡ ､ ۔ ।'.split(' '),
  quotes: '" \' ` ” ’ » › “ „ 」 』 ＂'.split(' '),
  brackets: ') ] } > ） ］ 】 》 〉 ｝ ＞ ('.split(' '),
  marks: '* ** _ ~ ~~ | \\ - -- – — & @ + → ™ 👍 ❤️'.split(' '),
  'white space': [' ', '\t', '\n', '\r\n', '\u00a0', '\u202f', '\u3000', '\u2028'],
  'invisible characters': [...'\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u202c\u034f\u115f\u3164\uffa0'],
  'several in a row': ['".', ').', '.)', '”.', '!!', '...', ')))', ' . ', '\u200b)\u00a0', '.**_', '>.'],
};
const glued = Object.entries(glue).flatMap(([kind, texts]) => texts.map((text) => [kind, text] as const));

test.each(glued)('%s: the path before %j is meant', (_, text) => {
  expect(meantPaths(`a/full${encodeURIComponent(text)}`)).toMatchObject({ query: '' });
  for (const sent of [text, encodeURIComponent(text)])
    for (const slash of ['', '/']) {
      expect(meantPaths(`a/full${slash}${sent}`).paths.at(-1)).toBe('a/full');
      expect(meantPaths(`a/full${sent}${slash}`).paths.at(-1)).toBe('a/full');
    }
});

test.each<[sent: string, paths: string[]]>([
  ['full', ['full']],
  ['Full', ['Full']],
  ['full/', ['full']],
  ['full.', ['full.', 'full']],
  ['full.)', ['full.', 'full']],
  ['full_.', ['full_.', 'full_', 'full']],
  ['full-~_', ['full-~_', 'full']],
  ['full_.)', ['full_.', 'full_', 'full']],
  ['full)_', ['full']],
  ['%66ull%29', ['full']],
  // No character inside a path is cut, and none at its start.
  ['full)x', []],
  ['full%20x', []],
  ['(full', []],
  ['%E2%80%8Bfull', []],
  // Slashes are not glued to an address.
  ['full//', []],
  ['full%2F', []],
  ['full//)', []],
  // Letters and signs of other scripts are not, either.
  ['full%E6%9F%A5', []],
  ['full%00', []],
  // Bytes that are not UTF-8, such as those of a Latin-1 quote.
  ['full%BB', ['full']],
  ['full%', ['full']],
  ['%ff', []],
  ['', []],
  ['.', []],
  [')))', []],
  // Paths of the service, and paths that are too long.
  ['robots.txt.', ['robots.txt.']],
  ['.well-known/assetlinks.json.', []],
  [`${'a'.repeat(50)}.`, ['a'.repeat(50)]],
  [`${'a'.repeat(51)}.`, []],
])('%j means one of %j', (sent, paths) => {
  expect(meantPaths(sent)).toEqual({ paths, query: '' });
});

test.each<[sent: string, path: string, query: string]>([
  ['full&name=value', 'full', 'name=value'],
  ['full%26a=1', 'full', 'a=1'],
  ['full%26a%3D1', 'full', 'a=1'],
  ['full%3Fname=value', 'full', 'name=value'],
  ['full%3fname=value', 'full', 'name=value'],
  ['full%3Fa%3D1%26b%3D%252B', 'full', 'a=1&b=%2B'],
  ['full%3Fa%3D1&b=x%3Dy', 'full', 'a=1&b=x%3Dy'],
  ['full%3Fgclid', 'full', 'gclid'],
  ['full/%3Fa=1', 'full', 'a=1'],
  ['full%26a%5B%5D=1', 'full', 'a%5B%5D=1'],
  ['full&a%5B0%5D=1', 'full', 'a%5B0%5D=1'],
  ['full&$a=1', 'full', '$a=1'],
  ['full&a:b=1', 'full', 'a:b=1'],
  ['full&%C3%A4=1', 'full', '%C3%A4=1'],
  // As HTML has an ampersand.
  ['full&amp;a=1', 'full', 'a=1'],
  ['full%26amp%3Ba%3D1', 'full', 'a=1'],
  ['full%EF%BC%9Fa=1', 'full', 'a=1'],
  ['full.&a=1', 'full', 'a=1'],
  ['full)%3Fa=1', 'full', 'a=1'],
  // The query becomes a part of a header.
  ['full%3Fa%3D%0D%0AX%20%C3%A9%23', 'full', 'a=%0D%0AX%20%C3%A9%23'],
  ['full%3F', 'full', ''],
  ['full%3F)', 'full', ''],
  ['full&', 'full', ''],
])('%j means %j with the query %j', (sent, path, query) => {
  const meant = meantPaths(sent);
  expect([meant.paths.at(-1), meant.query]).toEqual([path, query]);
});

test.each(['at&t', 'full&x', 'full&=1', 'full%23a=1', 'full;a=1', 'full&a/b=1', 'full&a%2Fb=1'])(
  '%j has no query behind a path',
  (sent) => {
    expect(meantPaths(sent)).toEqual({ paths: [], query: '' });
  },
);

test('a path of any length has a handful of meanings', () => {
  for (const run of ['.', ')', '._~-', '%20', '&', '%26a', '&a', '%3F', '%EF%BC%9F'])
    expect(meantPaths(`full${run.repeat(4000)}x`).paths.length).toBeLessThan(5);
  expect(meantPaths(`full${'.'.repeat(15_000)}`).paths).toEqual([]);
});
