import type { OpenAPIObject } from '@nestjs/swagger';
import { type Content, type DescribedParameter, type DescribedSchema, operationsOf } from './described-operation';

type Schemas = Record<string, DescribedSchema>;

/**
 * Gives each request body and each JSON response without examples a complete one, composed of the examples of its fields. A parameter
 * gets its default value, or the first one that it may have.
 * @throws Error if a field or parameter has no example
 */
export function addExamples(document: OpenAPIObject): void {
  const schemas = document.components!.schemas as Schemas;
  for (const { operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) addToParameter(parameter);
    addTo(operation.requestBody?.content, schemas);
    for (const { content } of Object.values(operation.responses)) addTo(content, schemas);
  }
}

function addTo(content: Content = {}, schemas: Schemas): void {
  const json = content['application/json'];
  if (!json?.schema?.$ref || json.examples) return;
  const name = nameIn(json.schema.$ref);
  json.examples = { [name]: { value: exampleOf(json.schema, schemas, name) } };
}

function addToParameter(parameter: DescribedParameter): void {
  const { name, schema } = parameter;
  if (parameter.example !== undefined || schema?.example !== undefined) return;
  parameter.example = schema?.default ?? schema?.enum?.[0];
  if (parameter.example === undefined)
    throw new Error(`The parameter ${name} has no example. Add one to the decorator of the field.`);
}

const nameIn = (reference: string): string => reference.split('/').at(-1)!;

/** Returns whether examples leave out the field if it is optional. */
const isAbsent = ({ enum: values, example, default: usual }: DescribedSchema): boolean =>
  values?.length === 1 && example === undefined && usual === undefined;

function exampleOf(schema: DescribedSchema, schemas: Schemas, where: string): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  const reference = schema.$ref ?? (schema.allOf ?? schema.oneOf ?? schema.anyOf)?.find(({ $ref }) => $ref)?.$ref;
  if (reference) return exampleOf(schemas[nameIn(reference)]!, schemas, where);
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([name, field]) => !isAbsent(field) || schema.required?.includes(name))
        .map(([name, field]) => [name, exampleOf(field, schemas, `${where}.${name}`)]),
    );
  if (schema.items) return [exampleOf(schema.items, schemas, where)];
  throw new Error(`${where} has no example. Add one to the decorator of the field.`);
}
