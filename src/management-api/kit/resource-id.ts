import { Injectable, type PipeTransform } from '@nestjs/common';
import { NIL } from 'uuid';
import { parseId } from '../../shared/id';

/**
 * Reads the id of a resource in a path. A text that is not a UUID becomes the nil UUID, which no resource has, so the resource
 * is not found. A refusal here would come before the faults of body and query (docs/contract.md, “Order of checks”).
 */
@Injectable()
export class ResourceId implements PipeTransform<string, string> {
  transform(given: string): string {
    return parseId(given) ?? NIL;
  }
}
