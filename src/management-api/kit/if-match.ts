import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Precondition } from '../../shared/precondition';
import { isTag, tagOf } from '../../shared/entity-tag';
import { PreconditionFailed } from './http.errors';
import { requestOf } from './request';

/** `If-Match` as it was sent. */
export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).headers['if-match'],
);

/**
 * That the resource is the one whose `ETag` the caller has; undefined where the caller names none.
 *
 * @param render what GET answers as `data`
 */
export function unchangedSince<T>(
  ifMatch: string | undefined,
  render: (resource: T) => object,
): Precondition<T> | undefined {
  if (ifMatch === undefined) return undefined;
  return (current) => {
    if (!isTag(ifMatch, tagOf(JSON.stringify({ data: render(current) })))) throw new PreconditionFailed();
  };
}
