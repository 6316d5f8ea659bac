import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './described-operation';

/** Describes the JSON form of bodies that are files. The others are text. */
export function describeFileBodies(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    const content = operation.requestBody?.content;
    if (content?.['text/csv'] && content['application/json'])
      Object.assign(content['application/json'], {
        // Without a type, so that a generated client takes files of all forms.
        schema: { description: 'An array of objects, or an object that has one.' },
        examples: { rows: { value: [{ name: 'Summer sale', custom_path: 'summer/sale' }] } },
      });
  }
}
