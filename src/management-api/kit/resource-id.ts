import { Injectable, type PipeTransform } from '@nestjs/common';
import { NIL } from 'uuid';
import { parseId } from '../../shared/id';

/**
 * A resource's id in the path. What is no UUID names nothing: it is read as the nil UUID, which nothing has, and is not found
 * where any other id is not found. To refuse it here would put it before the faults of body and query
 * (docs/contract.md, “Order of checks”).
 */
@Injectable()
export class ResourceId implements PipeTransform<string, string> {
  transform(given: string): string {
    return parseId(given) ?? NIL;
  }
}
