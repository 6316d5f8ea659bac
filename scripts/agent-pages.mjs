// node scripts/agent-pages.mjs FOLDER: writes llms.txt (https://llmstxt.org) and the Markdown pages that it lists, for agents and other
// programs that read text. The pages come from docs/ and from openapi.json.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = resolve(root, process.argv[2]);
const read = (path) => readFileSync(join(root, path), 'utf8');
const api = JSON.parse(read('openapi.json'));

/** Pages of docs/, with what a reader finds there. */
const written = {
  'tutorial.md': 'from an account to a first link, over HTTP',
  'command-line.md': 'the command `signpost`, and its MCP server',
  'contract.md': 'rules of all operations: order of checks, lists, repeated requests, concurrent changes',
  'contract-resources.md': 'fields, limits and plans',
  'contract-link-traffic.md': 'what a visitor of a link gets',
  'custom-domains.md': 'links on a host of yours',
  'app-developers.md': 'how apps open links',
  'errors.md': 'each error code with its cause and what to do',
};

const resolved = (part) =>
  part?.$ref === undefined
    ? part
    : part.$ref
        .split('/')
        .slice(1)
        .reduce((at, name) => at[name], api);
const cell = (text = '') => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
const table = (heads, rows) =>
  rows.length === 0 ? '' : [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** Describes the type of a value, with its limits. */
function typeOf(reference) {
  const schema = resolved(reference);
  const { enum: values, items, minimum, maximum, minLength, maxLength, maxItems } = schema;
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(' or ');
  const name = [schema.type ?? 'object'].flat().join(' or ');
  const limits = [
    items && `of ${typeOf(items)}`,
    schema.format && `format ${schema.format}`,
    minLength !== undefined && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && `to ${maximum}`,
    maxItems !== undefined && `at most ${maxItems}`,
  ];
  return [name, ...limits.filter(Boolean)].join(', ');
}

function fieldsOf({ properties = {}, required = [] }) {
  return table(
    ['field', 'type', 'required', 'meaning'],
    Object.entries(properties).map(([name, field]) => [
      `\`${name}\``,
      cell(typeOf(field)),
      required.includes(name) ? 'yes' : 'no',
      cell(resolved(field).description),
    ]),
  );
}

const examplesOf = (content) => Object.values(content?.['application/json']?.examples ?? {}).map(resolved);
const json = (example) => (example ? `\`\`\`json\n${JSON.stringify(example.value, null, 2)}\n\`\`\`` : '');

function sectionOf(method, path, operation) {
  const parameters = operation.parameters
    .map(resolved)
    .map((one) => [
      `\`${one.name}\``,
      one.in,
      cell(typeOf(one.schema)),
      one.required ? 'yes' : 'no',
      cell(one.description),
    ]);
  const body = operation.requestBody?.content['application/json'];
  const responses = Object.entries(operation.responses).map(([status, one]) => [status, resolved(one)]);
  const [success] = responses.filter(([status]) => status < 400).map(([, { content }]) => examplesOf(content)[0]);
  const errors = responses.flatMap(([status, { content }]) =>
    examplesOf(content)
      .filter(({ value }) => value.error)
      .map(({ value }) => `${status} \`${value.error.code}\``),
  );
  return [
    `## ${operation.operationId}`,
    `\`${method.toUpperCase()} /api/v1${path}\`: ${operation.summary}.`,
    operation.description,
    table(['parameter', 'in', 'type', 'required', 'meaning'], parameters),
    body && `Body:\n\n${fieldsOf(resolved(body.schema))}`,
    body && json(examplesOf(operation.requestBody.content)[0]),
    success && `Answer:\n\n${json(success)}`,
    `Errors: ${[...new Set(errors)].join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);
const ofApi = api.tags.map(({ name, description }) => {
  const sections = operations.filter(({ operation }) => operation.tags.includes(name));
  return {
    file: `api-${name.toLowerCase().replaceAll(' ', '-')}.md`,
    about: description,
    text: `# ${name}\n\n${description}\n\n${sections.map((one) => sectionOf(one.method, one.path, one.operation)).join('\n\n')}\n`,
  };
});

/** Turns links to other files of the repository into text. */
const withoutOtherLinks = (markdown) =>
  markdown.replaceAll(/!?\[([^\]]*)\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)/g, (link, text, file) =>
    file === '' || file in written ? link : text,
  );
const ofDocs = Object.entries(written).map(([file, about]) => ({
  file,
  about,
  text: withoutOtherLinks(read(`docs/${file}`)),
}));

const list = (pages) => pages.map(({ file, about }) => `- [${file}](${file}): ${about}`).join('\n');
const index = `# Signpost

> A self-hosted deep-link service. A project has a host, apps and links. A link sends each visitor to a destination for the device.

${api.info.description}

Requests need an API key: \`Authorization: Bearer KEY\`. Agents use the tools of \`signpost mcp\` instead (command-line.md).
To set up a first link: create a project (its \`subdomain\` is the host), register the apps, and create a link with their ids.

## Guides

${list(ofDocs)}

## Operations

${list(ofApi)}
`;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { file, text } of [...ofDocs, ...ofApi, { file: 'llms.txt', text: index }])
  writeFileSync(join(folder, file), text);
