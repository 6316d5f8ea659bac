import type { PipeTransform } from '@nestjs/common';
import { NotFound } from '../shared/domain-error';
import { parseId } from '../shared/id';

/** A resource's id in the path. What is no UUID names nothing: 404, not 400. */
export class ResourceId implements PipeTransform<string, string> {
  constructor(private readonly what: string) {}

  transform(given: string): string {
    const id = parseId(given);
    if (id === null) throw new NotFound(this.what);
    return id;
  }
}
