/** @needs tools */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { plainEnglish } from '../../eslint-rules/plain-english.mjs';

const prose = (rules: string[]) => Object.fromEntries(rules.map((rule) => [`prose/${rule}`, 'error']));

/** Verifies a text by the rules of this repository, with the packages of `tools/`. */
interface Linter {
  verify(text: string, config: object[], filename: string): { message: string }[];
}
let linter: Linter;
let config: object[];
beforeAll(() => {
  const requireTool = createRequire(join(__dirname, '../../tools/package.json'));
  linter = new (requireTool('eslint') as { Linter: new () => Linter }).Linter();
  const { parser } = requireTool('typescript-eslint') as { parser: object };
  const { default: markdown } = requireTool('@eslint/markdown') as { default: object };
  config = [
    { plugins: { prose: plainEnglish, markdown } },
    {
      files: ['**/*.ts'],
      languageOptions: { parser },
      rules: prose(['comments', 'messages', 'descriptions', 'names', 'nouns', 'doc-comment-verb']),
    },
    { files: ['**/*.md'], language: 'markdown/gfm', rules: prose(['markdown']) },
    { files: ['**/*.yaml'], processor: 'prose/yaml' },
    { files: ['**/NOTES.txt'], processor: 'prose/text' },
    { files: ['migrations/*.sql'], processor: 'prose/sql' },
    { files: ['**/*.{yaml,txt,sql}/*.js'], rules: prose(['comments']) },
  ];
});

const faults = (text: string, filename = 'some.ts'): string[] =>
  linter.verify(text, config, filename).map(({ message }) => message);

const long =
  'This sentence has more words than a reader can hold, because it goes on and on and on, until the reader has lost its very first words.';

/** Texts with one fault, and texts without. Where a rule has many words, some stand for all of them. */
const rows: [part: string, refused: string[], accepted: string[]][] = [
  [
    'a comment',
    [
      '// Whoever asks waits.',
      '// What is cached expires.',
      '// The caller is told so.',
      '/* There is room for ten. */',
      '// It has a pool of\n// its own.',
      '/**\n * It has a pool of\n * its own.\n */',
      '// It stops, else it would wait.',
      '// The AnnouncedCache is full.',
      '/**\n * Reads a text.\n * @param text sent by whoever asks\n */',
      `// ${long}`,
    ],
    [
      '// What is cached?',
      '// Nothing else, and nobody else, is served.',
      '// ClickHouse sends a newsletter in the bedroom.',
      '// The key is `heard || else`.',
      '// The first sentence has ten words and stops there already. The second sentence has ten words and stops there as well.',
      '// See https://example.com/what/news/room for details.',
      '// @ts-expect-error -- told',
    ],
  ],
  [
    'a message',
    [
      "test('the caller is told', () => {});",
      "test.each([1])('the caller is told %s', () => {});",
      "throw new BadSetting('COUNTRY_HEADER is believed from a proxy');",
      'const error = new TypeError(`no room for ${name}`);',
      "class Taken extends DomainError { constructor() { super('whoever asks'); } }",
      "log.warn('changes are not ' + 'heard');",
    ],
    ["const answer = { code: 'room' }; send('told');"],
  ],
  [
    'a description',
    [
      "@Operation({ description: 'Who the visitor is.' }) class A {}",
      "@Operation({ description: 'Also tell the clicks apart.' }) class A {}",
      "@Operation({ description: 'The start. When omitted: now.' }) class A {}",
      "@Operation({ summary: 'Where it leads' }) class A {}",
      'class A { @Field({ description: `Where ${it} leads.` }) a; }',
      "const described = { url: { 'description': 'The start. ' + 'Where it leads.' } };",
      "const description = 'Where it leads.';",
      "const described = { description: 'The caller is told so.' };",
      `const described = { description: '${long}' };`,
    ],
    [
      "@Operation({ description: 'Destination for users where no app is set.' }) class A {}",
      "@Operation({ description: 'Whole days. Android only. However it is.' }) class A {}",
      "@Operation({ example: 'Where it leads.', title: 'And more' }) class A {}",
      'const described = { description, summary: 1 }; const { description } = described;',
    ],
  ],
  [
    'a name',
    [
      'const mostWaiting = 1;',
      'function wait(patience: number) {}',
      'class Cache { #heard = 0; }',
      'class Cache { endTogether() {} }',
      'class Cache { constructor(readonly most: number) {} }',
      'abstract class Port { abstract wait(patience: number): void; }',
      'const found = 1;',
    ],
    [
      // A use is accepted, because the declaration is refused.
      'interface Record { found: string[] } const { found } = record;',
      'const mostRecent = options.outlives;',
    ],
  ],
  [
    'a doc comment',
    [
      '/** The link. */ export function find() {}',
      '/** A link. */ export const find = () => 1;',
      'class Links {\n/** The link. */ find() {} }',
      'interface Links {\n/** The link. */ find(): void; }',
      '/** The links. */ @Injectable() export class Links {}',
    ],
    [
      '/** Returns the link. */ export function find() {}',
      '/** @throws Error if the link is missing */ export function find() {}',
      '/** A list of links. */ export class Links {}',
      '/** Lists links. */ export class Links {}',
      '/** The links. */ type Links = string[];',
      'interface Page {\n/** The links. */ links: string[] }',
      'class Page {\n/** The links. */ get links() { return []; } }',
    ],
  ],
];

test.each(rows.flatMap(([part, refused]) => refused.map((text) => [part, text])))('%s is refused: %s', (_, text) => {
  expect(faults(text)).toHaveLength(1);
});

test.each(rows.flatMap(([part, , accepted]) => accepted.map((text) => [part, text])))(
  '%s is accepted: %s',
  (_, text) => {
    expect(faults(text)).toEqual([]);
  },
);

test('a fault names the replacement', () => {
  expect(faults('// It takes noughts.')).toEqual(['"noughts" in "It takes noughts …": use "zero".']);
});

test.each([
  ['some.md', 'The caller is\ntold so.', 1],
  ['some.md', '# Two doors', 1],
  ['some.md', 'The **caller is** [told](https://example.com) so.', 1],
  ['some.md', '| a | b |\n|---|---|\n| c | is told |', 1],
  ['some.md', long, 1],
  ['some.md', '```\nthe caller is told\n```', 0],
  ['some.md', 'The field is `told`.', 0],
  ['some.md', `| a |\n|---|\n| ${long} |`, 0],
  ['values.yaml', 'told: 1\n# -- The caller is told so.\nroom: 2\n', 1],
  ['NOTES.txt', 'The caller is told so.\n\n  curl https://example.com/told\n', 1],
  ['migrations/0001.sql', 'SELECT 1;\n-- The caller is\n-- told so.', 1],
  ['migrations/0001.sql', "COMMENT ON TABLE tags IS 'The caller''s tags are told so.';", 1],
  ['migrations/0001.sql', "-- squawk-ignore told\nSELECT 'told' AS room;", 0],
])('%s with the text %j has so many faults: %i', (filename, text, count) => {
  expect(faults(text, filename)).toHaveLength(count);
});
