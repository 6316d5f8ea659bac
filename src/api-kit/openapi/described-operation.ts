import type { OpenAPIObject } from '@nestjs/swagger';
import type { ErrorCase } from './error-examples';

/** A JSON Schema of the document, with the keywords that the document uses. */
export interface DescribedSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, DescribedSchema>;
  additionalProperties?: boolean | DescribedSchema;
  items?: DescribedSchema;
  allOf?: DescribedSchema[];
  oneOf?: DescribedSchema[];
  anyOf?: DescribedSchema[];
  not?: DescribedSchema;
  required?: string[];
  enum?: unknown[];
  example?: unknown;
  default?: unknown;
}

export type Content = Record<string, { schema?: DescribedSchema; examples?: Record<string, object> }>;

export interface DescribedResponse {
  description?: string;
  headers?: Record<string, object>;
  content?: Content;
}

export interface DescribedParameter {
  /** Absent in a reference. */
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: DescribedSchema;
  example?: unknown;
  /** Nest leaves this keyword beside the schema. */
  not?: DescribedSchema;
}

export interface DescribedOperation {
  operationId?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: DescribedParameter[];
  requestBody?: { content: Content };
  responses: Record<string, DescribedResponse>;
  'x-required-scope'?: string;
  'x-required-role'?: string;
  /** Of `@Operation`. They are removed from the document. */
  'x-errors'?: readonly ErrorCase[];
  'x-is-read'?: boolean;
}

interface PlacedOperation {
  operation: DescribedOperation;
  method: string;
  path: string;
  /** The first tag. */
  tag: string;
}

export const operationsOf = (document: OpenAPIObject): PlacedOperation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, DescribedOperation>).map(([method, operation]) => ({
      operation,
      method,
      path,
      tag: operation.tags?.[0] ?? '',
    })),
  );
