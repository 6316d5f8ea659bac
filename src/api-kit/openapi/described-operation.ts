import type { OpenAPIObject } from '@nestjs/swagger';

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
  headers?: Record<string, object>;
  content?: Content;
}

export interface DescribedParameter {
  /** Absent in a reference. */
  name?: string;
  schema?: DescribedSchema;
  example?: unknown;
  /** Nest leaves this keyword beside the schema. */
  not?: DescribedSchema;
}

interface DescribedOperation {
  tags?: string[];
  parameters?: DescribedParameter[];
  requestBody?: { content: Content };
  responses: Record<string, DescribedResponse>;
}

/** Returns the operations of a document that Nest has built, each with its first tag. */
export const operationsOf = (document: OpenAPIObject): { operation: DescribedOperation; tag: string }[] =>
  Object.values(document.paths).flatMap((item) =>
    Object.values(item as Record<string, DescribedOperation>).map((operation) => ({
      operation,
      tag: operation.tags?.[0] ?? '',
    })),
  );
