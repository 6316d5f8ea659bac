import type { Readable } from 'node:stream';
import type { Sized } from './batches.js';
import { UsageFailure } from './failures.js';
import { linesOf } from './lines.js';

export interface NumberedObject {
  line: number;
  object: Record<string, unknown>;
}

/** Yields the objects of a stream that has one per line. @throws UsageFailure */
export async function* jsonLinesOf(stream: Readable): AsyncGenerator<Sized<NumberedObject>> {
  for await (const { number: line, text } of linesOf(stream)) {
    let object: unknown;
    try {
      object = JSON.parse(text);
    } catch (error) {
      throw new UsageFailure(`Line ${line} is no JSON: ${(error as Error).message}.`);
    }
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      throw new UsageFailure(`Line ${line} must be a JSON object.`);
    yield { item: { line, object: object as Record<string, unknown> }, bytes: Buffer.byteLength(text) + 1 };
  }
}
