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

describe('a comment', () => {
  test.each([
    ['whoever', 'Whoever asks waits.'],
    ['is none', 'The name is none.'],
    ['are none', 'There are none.'],
    ['what as the subject', 'What is cached expires.'],
    ['told', 'The caller is told so.'],
    ['believed', 'The header is believed.'],
    ['learnt', 'The answer was learnt before.'],
    ['heard', 'The change was heard.'],
    ['by heart', 'It knows the hosts by heart.'],
    ['reckoned', 'The price is reckoned.'],
    ['patience', 'Its patience ends.'],
    ['house', 'The house rule applies.'],
    ['room', 'There is room for ten.'],
    ['door', 'The front door decides.'],
    ['news', 'It waits for news.'],
    ['noughts', 'It returns noughts.'],
    ['of its own', 'It has a pool of its own.'],
    ['of their own', 'They have pools of their own.'],
    ['else as a conjunction', 'It stops, else it would wait.'],
    ['announced', 'The change is announced.'],
    ['a private name', 'The AnnouncedCache is full.'],
    ['a long sentence', long],
  ])('with %s is refused', (_, comment) => {
    expect(faults(`// ${comment}`)).toHaveLength(1);
    expect(faults(`/* ${comment} */`)).toHaveLength(1);
  });

  test.each([
    ['a question', 'What is cached?'],
    ['somebody else', 'Nothing else, and nobody else, is served.'],
    ['a word inside a word', 'ClickHouse sends a newsletter in the bedroom.'],
    ['code', 'The key is `heard || else`.'],
    [
      'two sentences',
      'The first sentence has ten words and stops there already. The second sentence has ten words and stops there as well.',
    ],
    ['an address', 'See https://example.com/what/news/room for details.'],
    ['a directive', '@ts-expect-error -- told'],
  ])('with %s is accepted', (_, comment) => {
    expect(faults(`// ${comment}`)).toEqual([]);
  });

  test('is read across lines and without its asterisks', () => {
    expect(faults('// It has a pool of\n// its own.')).toHaveLength(1);
    expect(faults('/**\n * It has a pool of\n * its own.\n */')).toHaveLength(1);
  });

  test('is refused in @param', () => {
    expect(faults('/**\n * Reads a text.\n * @param text sent by whoever asks\n */')).toHaveLength(1);
  });

  test('names the replacement', () => {
    expect(faults('// It takes noughts.')).toEqual(['"noughts" in "It takes noughts …": use "zero".']);
  });
});

describe('a message', () => {
  test.each([
    ["test('the caller is told', () => {});"],
    ["describe('a door', () => {});"],
    ["test.each([1])('the caller is told %s', () => {});"],
    ["throw new BadSetting('COUNTRY_HEADER is believed from a proxy');"],
    ["const error = new Error('no room');"],
    ['const error = new TypeError(`no room for ${name}`);'],
    ["class Taken extends DomainError { constructor() { super('whoever asks'); } }"],
    ["log.warn('changes are not heard');"],
    ["log('changes are ' + 'not heard');"],
  ])('%s is refused', (code) => {
    expect(faults(code)).toHaveLength(1);
  });

  test('other strings are accepted', () => {
    expect(faults("const answer = { code: 'room' }; send('told');")).toEqual([]);
  });
});

describe('a description', () => {
  test.each([
    ['who', "@Operation({ description: 'Who the visitor is.' }) class A {}"],
    ['whose', "@Operation({ description: 'Whose key this is.' }) class A {}"],
    ['what', "@Operation({ description: 'What the plan includes.' }) class A {}"],
    ['where', "@Operation({ description: 'Where it leads.' }) class A {}"],
    ['when', "@Operation({ description: 'When it stops working.' }) class A {}"],
    ['how', "@Operation({ description: 'How many there are.' }) class A {}"],
    ['why', "@Operation({ description: 'Why, for programs.' }) class A {}"],
    ['also', "@Operation({ description: 'Also tell the clicks apart.' }) class A {}"],
    ['and', "@Operation({ description: 'And ends before this.' }) class A {}"],
    ['when in its second sentence', "@Operation({ description: 'The start. When omitted: now.' }) class A {}"],
    ['where in a summary', "@Operation({ summary: 'Where it leads' }) class A {}"],
    ['where in a template', 'class A { @Field({ description: `Where ${it} leads.` }) a; }'],
    ['where in parts', "class A { @Field({ description: 'The start. ' + 'Where it leads.' }) a; }"],
    ['where in a shared object', "const described = { url: { 'description': 'Where it leads.' } };"],
    ['where in a constant', "const description = 'Where it leads.';"],
    ['where after a condition', "const description = 'The start.' + (secret ? ' Where it leads.' : '');"],
    ['a refused word', "const described = { description: 'The caller is told so.' };"],
    ['a long sentence', `const described = { description: '${long}' };`],
  ])('with %s is refused', (_, code) => {
    expect(faults(code)).toHaveLength(1);
  });

  test.each([
    ['a noun phrase', "@Operation({ description: 'Destination for users where no app is set.' }) class A {}"],
    ['a longer word', "@Operation({ description: 'Whole days. Android only. However it is.' }) class A {}"],
    ['another property', "@Operation({ example: 'Where it leads.', title: 'And more' }) class A {}"],
    ['a value that is no text', 'const described = { description, summary: 1 };'],
    ['a destructured constant', 'const { description } = described;'],
  ])('with %s is accepted', (_, code) => {
    expect(faults(code)).toEqual([]);
  });
});

describe('a name', () => {
  test.each([
    'const mostWaiting = 1;',
    'const longestText = 1;',
    'function wait(patience: number) {}',
    'class FrugalPool {}',
    'class Cache { #heard = 0; }',
    'class Cache { endTogether() {} }',
    'class Cache { constructor(readonly most: number) {} }',
    'interface Options { outlives: number }',
    'abstract class Port { abstract wait(patience: number): void; }',
    'const found = 1;',
    'const { text: given } = input;',
    'const read = (wanted: string) => {};',
    'for (const kept of rows) read();',
  ])('%s is refused', (code) => {
    expect(faults(code)).toHaveLength(1);
  });

  test('a use is accepted, because the declaration is refused', () => {
    expect(faults('interface Record { found: string[] } const { found } = record;')).toEqual([]);
    expect(faults('const mostRecent = options.outlives;')).toEqual([]);
  });
});

describe('a doc comment', () => {
  test.each([
    ['a function', 'export function find() {}'],
    ['an arrow function', 'export const find = () => 1;'],
    ['a method', 'class Links {\n/** TEXT */ find() {} }'],
    ['an abstract method', 'abstract class Links {\n/** TEXT */ abstract find(): void; }'],
    ['a method of an interface', 'interface Links {\n/** TEXT */ find(): void; }'],
  ])('of %s begins with a verb', (_, code) => {
    const documented = (text: string) =>
      code.includes('TEXT') ? code.replace('TEXT', text) : `/** ${text} */ ${code}`;
    expect(faults(documented('The link.'))).toHaveLength(1);
    expect(faults(documented('A link.'))).toHaveLength(1);
    expect(faults(documented('Returns the link.'))).toEqual([]);
    expect(faults(documented('@throws Error if the link is missing'))).toEqual([]);
  });

  test('of a class begins with a verb or names its kind', () => {
    expect(faults('/** The links. */ export class Links {}')).toHaveLength(1);
    expect(faults('/** The links. */ @Injectable() export class Links {}')).toHaveLength(1);
    expect(faults('/** A list of links. */ export class Links {}')).toEqual([]);
    expect(faults('/** Lists links. */ export class Links {}')).toEqual([]);
  });

  test('of a field, a constant or a type may be a noun phrase', () => {
    expect(faults('/** The links. */ type Links = string[];')).toEqual([]);
    expect(faults('/** The links. */ const links = [];')).toEqual([]);
    expect(faults('interface Page {\n/** The links. */ links: string[] }')).toEqual([]);
    expect(faults('class Page {\n/** The links. */ get links() { return []; } }')).toEqual([]);
  });
});

describe('Markdown', () => {
  test.each([
    ['a paragraph', 'The caller is\ntold so.'],
    ['a heading', '# Two doors'],
    ['a list', '- The caller is told so.'],
    ['emphasis', 'The **caller is told** so.'],
    ['a link', 'The [caller is told](https://example.com) so.'],
    ['a table', '| a | b |\n|---|---|\n| c | is told |'],
    ['a long sentence', long],
  ])('with a fault in %s is refused', (_, text) => {
    expect(faults(text, 'some.md')).toHaveLength(1);
  });

  test.each([
    ['a code block', '```\nthe caller is told\n```'],
    ['a code span', 'The field is `told`.'],
    ['a table', `| a |\n|---|\n| ${long} |`],
  ])('is accepted with the same in %s', (_, text) => {
    expect(faults(text, 'some.md')).toEqual([]);
  });
});

describe('a chart', () => {
  test('has its comments checked on their lines', () => {
    const text = 'told: 1\n# -- The caller is told so.\nroom: 2\n';
    expect(linter.verify(text, config, 'values.yaml')).toMatchObject([{ line: 2 }]);
  });

  test('has its notes checked', () => {
    expect(faults('The caller is told so.\n\n  curl https://example.com/told\n', 'NOTES.txt')).toHaveLength(1);
  });
});

describe('a migration', () => {
  test.each([
    ['a comment', '-- The caller is\n-- told so.'],
    ['a description', "COMMENT ON TABLE tags IS 'The caller''s tags are told so.';"],
  ])('with a fault in %s is refused', (_, sql) => {
    expect(faults(`SELECT 1;\n${sql}`, 'migrations/0001.sql')).toHaveLength(1);
  });

  test('is accepted with the same in a statement', () => {
    expect(faults("-- squawk-ignore told\nSELECT 'told' AS room;", 'migrations/0001.sql')).toEqual([]);
  });
});
