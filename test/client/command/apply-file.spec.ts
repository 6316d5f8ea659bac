import { mergeLinksFiles, parseLinksFile } from '../../../clients/typescript/src/command/apply-file';

const parse = (text: string) => parseLinksFile(text, 'links.yaml');

test('defaults hold for all links, and null removes one', () => {
  const { scope, links } = parse(`
scope: web/
defaults: { archived: true, title: T }
links:
  web/a: { name: A }
  web/b: { name: B, title: null, archived: false }
`);
  expect(scope).toBe('web/');
  expect(Object.fromEntries(links)).toEqual({
    'web/a': { name: 'A', archived: true, title: 'T' },
    'web/b': { name: 'B', archived: false },
  });
});

test('JSON and merge keys are YAML', () => {
  expect(parse('{"links":{"a":{"name":"A"}}}').links.get('a')).toEqual({ name: 'A' });
  const merged = parse('links: { a: &a { name: A, title: T }, b: { <<: *a, name: B } }');
  expect(merged.links.get('b')).toEqual({ name: 'B', title: 'T' });
  const anchored = parse('x-base: &base { title: T }\nlinks: { a: { <<: *base, name: A } }');
  expect(anchored.links.get('a')).toEqual({ name: 'A', title: 'T' });
});

test.each([
  ['', 'links.yaml must be a mapping'],
  ['- a', 'links.yaml must be a mapping'],
  ['links: { a: { name: A }, a: { name: B } }', 'links.yaml:1: '],
  ['links: { a: { name: A }', 'links.yaml:1: '],
  ['link: {}', 'the file has no field "link"; did you mean links?'],
  ['links: []', 'links must be a mapping'],
  ['scope: 1', 'scope must be a text'],
  ['scope: x\nlinks: { a: { name: A } }', 'links.a: the external id must begin with the scope "x"'],
  ['links: { a: }', 'links.a: name is missing'],
  ['links: { a: { name: A, desktop_ulr: x } }', 'links.a has no field "desktop_ulr"; did you mean desktop_url?'],
  ['links: { a: { name: A, external_id: b } }', 'links.a has no field "external_id"'],
  ['links: { a: { name: 2026 } }', 'links.a.name must be a text; put it in quotation marks'],
  ['links: { a: { name: A, archived: "yes" } }', 'links.a.archived must be true or false'],
  ['links: { a: { name: A, tags: one } }', 'links.a.tags must be a list of texts'],
  ['links: { a: { name: A, referrer_params: { a: 1 } } }', 'links.a.referrer_params must be a mapping of texts'],
  ['links: { a: { name: A, ios_app_id: x, ios_bundle_id: y } }', 'ios_app_id and ios_bundle_id exclude each other'],
  ['defaults: { names: A }', 'defaults has no field "names"; did you mean name?'],
  ['links: { 007: { name: A } }', 'links: 007 must be a text; put it in quotation marks'],
  ['links: { ? [a] : { name: A } }', 'links: a key must be a text'],
  ['links: { "..": { name: A } }', 'links: ".." cannot be an external id'],
  ['links: !!js/function "x"', 'links.yaml:1: '],
  [
    'links: { a: { name: A } }\n---\nlinks: { b: { name: B } }\n---\n',
    'links.yaml:2: "---" begins a second document; keep one per file, and name several files with -f',
  ],
])('%j is refused', (text, message) => expect(() => parse(text)).toThrow(message));

test('every fault is named at once', () => {
  expect(() => parse('links: { a: { name: 1, x: 1 }, b: {} }')).toThrow(
    /links\.a has no field "x"\n.*a\.name must.*\n.*b: name is/,
  );
});

test('aliases cannot describe a huge document', () => {
  const levels = Array.from(
    { length: 20 },
    (_, at) => `k${at}: &k${at} [${at === 0 ? 'x' : `*k${at - 1}, *k${at - 1}`}]`,
  );
  expect(() => parse(levels.join('\n'))).toThrow('links.yaml: Excessive alias count');
});

test('names of objects in JavaScript are ordinary external ids', () => {
  const { links } = parse('links: { __proto__: { name: P }, constructor: { name: C } }');
  expect([...links.keys()]).toEqual(['__proto__', 'constructor']);
});

test('files are joined if they agree', () => {
  const [a, b] = [parse('links: { a: { name: A } }'), parse('links: { b: { name: B } }')];
  expect([...mergeLinksFiles([a, b]).links.keys()]).toEqual(['a', 'b']);
  expect(() => mergeLinksFiles([a, a])).toThrow('Two files have the link "a"');
  expect(() => mergeLinksFiles([a, parse('scope: x')])).toThrow('the same scope');
});
