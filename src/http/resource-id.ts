import type { PipeTransform } from '@nestjs/common';
import { parseId } from '../shared/id';

/** The nil UUID (RFC 9562 section 5.9), which no resource has. */
const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * A resource's id in the path. What is no UUID names nothing: 404, not 400. It is looked for all the same, so that this 404
 * comes where the others do, after the checks of query and body.
 */
export class ResourceId implements PipeTransform<string, string> {
  transform(given: string): string {
    return parseId(given) ?? nobody;
  }
}
