import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FieldSchema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  enum?: string[];
  example?: unknown;
  items?: FieldSchema;
}

export interface DescribedOperation {
  method: string;
  /** The path relative to /api/v1, such as `/projects/{projectId}`. */
  template: string;
  pathIds: string[];
  query: Record<string, FieldSchema>;
  /** Whether it returns 201. */
  creates: boolean;
  /** Absent where the operation takes no body. */
  body?: { properties: Record<string, FieldSchema>; required: string[] };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties: Record<string, FieldSchema>; required?: string[] }> };
}
interface Operation {
  parameters?: { name: string; in: string; schema: FieldSchema }[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
  responses: Record<string, unknown>;
}

const document = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as Document;

/** Every operation of the committed API description, with its parameters and body. */
export const describedOperations: DescribedOperation[] = Object.entries(document.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => {
    const parametersIn = (place: string) => parameters.filter((parameter) => parameter.in === place);
    const schema = requestBody && document.components.schemas[nameOf(requestBody)]!;
    return {
      method: method.toUpperCase(),
      template,
      pathIds: parametersIn('path').map(({ name }) => name),
      query: Object.fromEntries(parametersIn('query').map(({ name, schema }) => [name, schema])),
      creates: '201' in responses,
      ...(schema && { body: { properties: schema.properties, required: schema.required ?? [] } }),
    };
  }),
);

function nameOf(requestBody: NonNullable<Operation['requestBody']>): string {
  return requestBody.content['application/json']!.schema.$ref.split('/').at(-1)!;
}

/** Returns the name of an operation in tables, such as `GET /projects`. */
export const nameOfOperation = ({ method, template }: { method: string; template: string }): string =>
  `${method} ${template}`;
