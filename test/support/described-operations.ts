import { apiDescription, type Schema, schemaOf } from './api-description';

export type FieldSchema = Schema;

export interface DescribedOperation {
  method: string;
  /** The path relative to /api/v1, such as `/projects/{projectId}`. */
  template: string;
  pathIds: string[];
  query: Record<string, FieldSchema>;
  /** Whether it always creates, and returns 201. */
  creates: boolean;
  /** Absent where the operation takes no body, or a file. */
  body?: { properties: Record<string, FieldSchema>; required: string[] };
}

/** Every operation of the committed API description, with its parameters and body. */
export const describedOperations: DescribedOperation[] = Object.entries(apiDescription.paths).flatMap(
  ([template, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => {
      const parametersIn = (place: string) => parameters.filter((parameter) => parameter.in === place);
      const json = requestBody?.content['application/json'];
      const schema = json && schemaOf(json.schema);
      return {
        method: method.toUpperCase(),
        template,
        pathIds: parametersIn('path').map(({ name }) => name),
        query: Object.fromEntries(parametersIn('query').map(({ name, schema }) => [name, schema])),
        creates: '201' in responses && !('200' in responses),
        ...(schema?.properties && { body: { properties: schema.properties, required: schema.required ?? [] } }),
      };
    }),
);

/** Returns the name of an operation in tables, such as `GET /projects`. */
export const nameOfOperation = ({ method, template }: { method: string; template: string }): string =>
  `${method} ${template}`;
