import type { OpenAPIObject } from '@nestjs/swagger';
import { type DescribedSchema, operationsOf } from './described-operation';

/** Closes the schemas of request bodies, because the service refuses fields that it does not know. */
export function closeBodies(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    const reference = operation.requestBody?.content['application/json']?.schema?.$ref;
    const schema = reference && (document.components!.schemas![reference.split('/').at(-1)!] as DescribedSchema);
    if (schema) schema.additionalProperties = false;
  }
}
