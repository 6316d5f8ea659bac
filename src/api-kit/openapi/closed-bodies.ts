import type { OpenAPIObject } from '@nestjs/swagger';
import { type DescribedSchema, operationsOf } from './described-operation';

/**
 * Closes the schemas of request bodies and of the objects in them, because the service refuses fields that it does not know. An
 * object that says which further fields it has, such as one with free names, stays as it is.
 */
export function closeBodies(document: OpenAPIObject): void {
  const seen = new Set<DescribedSchema>();
  const close = (schema: DescribedSchema): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    if (schema.$ref) close(document.components!.schemas![schema.$ref.split('/').at(-1)!] as DescribedSchema);
    if (schema.properties) schema.additionalProperties ??= false;
    const { items, properties = {}, oneOf = [], allOf = [] } = schema;
    for (const part of [...(items ? [items] : []), ...Object.values(properties), ...oneOf, ...allOf]) close(part);
  };
  for (const { operation } of operationsOf(document)) {
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema) close(schema);
  }
}
