import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Precondition } from '../../shared/precondition';
import { isTag, tagOf } from '../../shared/entity-tag';
import { PreconditionFailed } from './http.errors';
import { requestOf } from './request';

const header = ApiHeader({
  name: 'If-Match',
  required: false,
  description:
    '`ETag` of the resource when it was read. The response is 412 if the resource has changed since then. Without this ' +
    'header, the change is made in any case.',
  schema: { type: 'string', example: '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"' },
});

export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).headers['if-match'],
  [(target, key) => header(target, key!, Object.getOwnPropertyDescriptor(target, key!)!)],
);

/**
 * Returns the precondition that the resource still has the `ETag` of `If-Match`, or undefined without the header.
 *
 * @param render returns the `data` of a GET response, which the tag is computed from
 */
export function unchangedSince<T>(
  ifMatch: string | undefined,
  render: (resource: T) => object,
): Precondition<T> | undefined {
  if (ifMatch === undefined) return undefined;
  return (current) => {
    if (!isTag(ifMatch, resourceTag(render(current)))) throw new PreconditionFailed();
  };
}

/** Returns the `ETag` of a resource. `data` is that of a GET response. */
export const resourceTag = (data: object): string => tagOf(JSON.stringify({ data }));
