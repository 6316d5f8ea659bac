import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  items?: Schema;
  not?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

export interface Example {
  summary?: string;
  value: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface DescribedContent {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, Example>;
}

export interface Operation {
  operationId: string;
  security: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, DescribedContent> };
  responses: Record<
    string,
    {
      description: string;
      headers: Record<string, { required?: false; schema: Schema; example?: unknown }>;
      content?: Record<string, DescribedContent>;
    }
  >;
}

export interface ApiDescription {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, object>; schemas: Record<string, Schema> };
}

export const openApiPath = join(__dirname, '../../openapi.json');

/** Reads the committed API description. References are resolved, except those to schemas. */
export function readApiDescription(): ApiDescription {
  const document = JSON.parse(readFileSync(openApiPath, 'utf8')) as ApiDescription;
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    const { $ref: reference } = value as { $ref?: string };
    if (reference === undefined || reference.startsWith('#/components/schemas/'))
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]));
    const [, , kind, name] = reference.split('/') as [string, string, keyof ApiDescription['components'], string];
    const target = document.components[kind]?.[name];
    if (!target) throw new Error(`${reference} leads nowhere`);
    return resolve(target);
  };
  return resolve(document) as ApiDescription;
}

export const apiDescription = readApiDescription();

/** Returns the schema that a reference names, and other schemas as they are. */
export const schemaOf = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : apiDescription.components.schemas[schema.$ref.split('/').at(-1)!]!;
