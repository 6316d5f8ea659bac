import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type Content, type DescribedResponse, operationsOf } from './described-operation';

type Kind = 'parameters' | 'headers' | 'examples' | 'responses';

/** A definition that several places of the document repeat. */
interface Definition {
  kind: Kind;
  /** The name that it gets if no other definition wants the same. */
  baseName: string;
  value: object;
  uses: number;
  /** Tags of the operations that use it. */
  tags: Set<string>;
}

/**
 * Moves every parameter, header, example and response that occurs more than once to `components`, and refers to it. Readers
 * that resolve references see the same document, at a quarter of the size.
 */
export function shareComponents(described: OpenAPIObject): OpenAPIObject {
  const document = shareTitledSchemas(described);
  const shared: Partial<Record<Kind, Record<string, object>>> = {};
  // Inner definitions first, because a response contains headers and examples.
  for (const kinds of [['parameters', 'headers', 'examples'], ['responses']] as const) {
    const definitions = new Map<string, Definition>();
    replaceIn(document, kinds, (kind, name, value, tag) => {
      const key = keyOf(kind, name, value);
      const definition = definitions.get(key) ?? { kind, baseName: name, value, uses: 0, tags: new Set() };
      definition.uses++;
      definition.tags.add(tag);
      definitions.set(key, definition);
      return value;
    });
    const names = namesOf([...definitions].filter(([, { uses }]) => uses > 1));
    replaceIn(document, kinds, (kind, componentName, value) => {
      const name = names.get(keyOf(kind, componentName, value));
      if (name === undefined) return value;
      (shared[kind] ??= {})[name] = value;
      return { $ref: `#/components/${kind}/${name}` };
    });
  }
  return { ...document, components: { ...document.components, ...shared } as OpenAPIObject['components'] };
}

/** Moves the parts of schemas that have a title to `components`, under this name. */
function shareTitledSchemas(document: OpenAPIObject): OpenAPIObject {
  const titled: Record<string, unknown> = {};
  const shared = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(shared);
    if (typeof node !== 'object' || node === null) return node;
    const { title, ...schema } = node as Record<string, unknown>;
    const isTitled = typeof title === 'string' && 'type' in schema;
    const parts = Object.entries(isTitled ? schema : node).map(([name, part]) => [name, shared(part)] as const);
    if (!isTitled) return Object.fromEntries(parts);
    titled[title] = Object.fromEntries(parts);
    return { $ref: `#/components/schemas/${title}` };
  };
  const schemas = shared(document.components?.schemas ?? {}) as object;
  const components = { ...document.components, schemas: { ...schemas, ...titled } } as OpenAPIObject['components'];
  return { ...document, components };
}

const keyOf = (kind: Kind, name: string, value: object): string => JSON.stringify([kind, name, value]);

/**
 * Names definitions that want the same name by the tag of their operations, such as `appId-iOS-apps`. A definition that
 * operations of several tags use keeps the name.
 */
function namesOf(definitions: [key: string, Definition][]): Map<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const [key, { kind, baseName, tags }] of definitions) {
    const rivals = definitions.filter(([, other]) => other.kind === kind && other.baseName === baseName);
    const [tag = ''] = tags;
    const base = rivals.length > 1 && tags.size === 1 ? `${baseName}-${tag.replaceAll(/\W+/g, '-')}` : baseName;
    let name = base;
    for (let number = 2; taken.has(`${kind} ${name}`); number++) name = `${base}-${number}`;
    taken.add(`${kind} ${name}`);
    names.set(key, name);
  }
  return names;
}

type Replace = (kind: Kind, baseName: string, value: object, tag: string) => object;

/** Replaces each definition of these kinds in the operations of the document. */
function replaceIn(document: OpenAPIObject, kinds: readonly Kind[], replace: Replace): void {
  for (const { operation, tag } of operationsOf(document)) {
    const replaced = (kind: Kind, name: string, value: object): object =>
      kinds.includes(kind) && !('$ref' in value) ? replace(kind, name, value, tag) : value;
    const replaceAll = (kind: Kind, values: Record<string, object> = {}): void => {
      for (const [name, value] of Object.entries(values)) values[name] = replaced(kind, name, value);
    };
    const replaceExamples = (content: Content = {}): void => {
      for (const { examples } of Object.values(content)) replaceAll('examples', examples);
    };
    operation.parameters = operation.parameters?.map((parameter) =>
      replaced('parameters', String(parameter.name), parameter),
    );
    replaceExamples(operation.requestBody?.content);
    for (const [status, response] of Object.entries(operation.responses)) {
      replaceAll('headers', response.headers);
      replaceExamples(response.content);
      operation.responses[status] = replaced('responses', nameOfResponse(status, response), response);
    }
  }
}

/** Names a response by its error cases, by its schema, or by its status. */
function nameOfResponse(status: string, { content }: DescribedResponse): string {
  const json = content?.['application/json'];
  if (Number(status) >= 400 && json?.examples) return Object.keys(json.examples).map(pascalCase).join('Or');
  const schema = json?.schema?.$ref?.split('/').at(-1);
  return schema ?? (STATUS_CODES[status] ?? '').replaceAll(' ', '');
}

const pascalCase = (constant: string): string =>
  constant
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join('');
