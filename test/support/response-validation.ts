import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parseUrl } from '../../src/shared/url';
import { readApiDescription, type Schema } from './api-description';

const description = readApiDescription();

// A response must not have undescribed fields. The published schemas allow them, so that a field can be added later.
for (const schema of Object.values(description.components.schemas))
  if (schema.properties && schema.additionalProperties === undefined) schema.additionalProperties = false;

const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
// URLs follow the WHATWG standard, which allows characters such as `[` that RFC 3986 refuses.
ajv.addFormat('uri', (text) => parseUrl(text)?.href === text);
ajv.addSchema({ $id: 'api', components: description.components });
const compiled = new WeakMap<Schema, ValidateFunction>();
const texts = new Map<string, ValidateFunction>();

const parametersOf = (template: string): number => template.split('{').length - 1;

/** Paths with fewer parameters come first, because they are matched first. */
const routes = Object.keys(description.paths)
  .sort((one, other) => parametersOf(one) - parametersOf(other))
  .map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`) }));

/** Headers of HTTP, browsers and proxies, which clients of the API need not know. */
const undescribed = new Set(
  (
    'cache-control connection content-encoding content-length content-security-policy content-type cross-origin-resource-policy ' +
    'date keep-alive referrer-policy transfer-encoding vary x-content-type-options x-frame-options ' +
    'access-control-allow-origin access-control-expose-headers'
  ).split(' '),
);

/**
 * Returns the differences between a response and the API description, in status, headers, media type and body.
 * @param path relative to /api/v1
 */
export function responseFaults(
  method: string,
  path: string,
  answer: { status: number; headers: Record<string, string>; body: unknown },
): string[] {
  const template = routes.find(({ pattern }) => pattern.test(path))?.template;
  const operation = template && description.paths[template]![method.toLowerCase()];
  if (!operation) return [`${method} ${path} is not described`];
  const response = operation.responses[answer.status];
  if (!response) return [`${method} ${template} does not describe ${answer.status}`];
  const missing = Object.entries(response.headers ?? {})
    .filter(([name, { required }]) => required !== false && !(name.toLowerCase() in answer.headers))
    .map(([name]) => name);
  const problems = missing.map((name) => `${method} ${template} ${answer.status} lacks the header ${name}`);
  const described = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
  for (const name of Object.keys(answer.headers))
    if (!described.has(name) && !undescribed.has(name))
      problems.push(`${method} ${template} ${answer.status} does not describe its header ${name}`);
  if (!response.content) return problems;
  const mediaType = (answer.headers['content-type'] ?? '').split(';')[0]!;
  const schema = response.content[mediaType]?.schema;
  if (!schema) return [...problems, `${method} ${template} ${answer.status} does not describe ${mediaType}`];
  if (mediaType !== 'application/json') return problems;
  const validate = compiledFor(schema);
  if (!validate(answer.body))
    problems.push(`${method} ${template} ${answer.status}: ${ajv.errorsText(validate.errors, { dataVar: 'body' })}`);
  return problems;
}

/** Returns the differences between an example and its schema. */
export function exampleFaults(schema: Schema, value: unknown): string[] {
  const validate = compiledFor(schema);
  return validate(value) ? [] : [ajv.errorsText(validate.errors)];
}

function compiledFor(schema: Schema): ValidateFunction {
  const known = compiled.get(schema) ?? compiledByText(JSON.stringify(schema));
  compiled.set(schema, known);
  return known;
}

/** Many operations repeat an equal schema. */
function compiledByText(text: string): ValidateFunction {
  const known = texts.get(text) ?? ajv.compile(JSON.parse(text.replaceAll('"#/', '"api#/')) as object);
  texts.set(text, known);
  return known;
}
