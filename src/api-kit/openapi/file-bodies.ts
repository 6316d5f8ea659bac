import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './described-operation';

const row = { name: 'Summer sale', custom_path: 'summer/sale' };

/** Describes the JSON form of bodies that are files, and gives each form an example. The others are text. */
export function describeFileBodies(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    const content = operation.requestBody?.content;
    if (!content?.['text/csv'] || !content['application/json']) continue;
    Object.assign(content['application/json'], {
      // Without a type, so that a generated client takes files of all forms.
      schema: { description: 'An array of objects, or an object that has one.' },
      examples: { rows: { value: [row] } },
    });
    Object.assign(content['text/csv'], { example: `name,custom_path\r\n${row.name},${row.custom_path}\r\n` });
    Object.assign(content['application/x-ndjson'] ?? {}, { example: `${JSON.stringify(row)}\n` });
  }
}
