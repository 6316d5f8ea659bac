import { Injectable, type PipeTransform } from '@nestjs/common';
import { nilId, parseId } from '../../shared/id';
import { InvalidInput, inField } from '../../shared/problem';
import type { Rule } from '../../shared/rule';

/**
 * Reads the id of a resource in a path. A text that is not a UUID becomes the nil UUID, which no resource has, so the resource
 * is not found. A refusal here would come before the faults of body and query (docs/contract.md, “Order of checks”).
 */
@Injectable()
export class ResourceId implements PipeTransform<string, string> {
  transform(text: string): string {
    return parseId(text) ?? nilId;
  }
}

/**
 * Reads a parameter of a path that is no UUID. A controller calls it, because faults of body and query come first.
 * @throws InvalidInput
 */
export function parseInPath<T>(name: string, rule: Rule<T>, text: string): T {
  const reading = rule.safeParse(text);
  if ('problems' in reading) throw InvalidInput.because(inField(name, reading.problems));
  return reading.value;
}
