import type { DynamicLinkWithApps, operations } from 'signpost-client';
import { ApiError } from '../../api/api-error';
import { idempotencyKey } from '../../api/idempotency-key';

type Operation = operations['changeMatchingDynamicLinks'];
export type ByFilterBody = Operation['requestBody']['content']['application/json'];
export interface ByFilterAnswer {
  changed: number;
  unchanged: number;
  failures: (Pick<DynamicLinkWithApps, 'id' | 'name'> & { error: ErrorOfLink })[];
  remaining: number;
  next_after: string | null;
}

export interface Failure {
  id: string;
  name: string;
  error: ApiError;
}

export interface Outcome {
  /** Links that have the state now, also those that had it before. */
  done: number;
  failures: Failure[];
  /** Selected links that no longer exist. */
  gone: number;
}

type ErrorOfLink = Pick<ApiError, 'message'> & { code: ApiError['code']; details?: ApiError['details'] };

export const failureOf = (link: { id: string; name: string }, error: ErrorOfLink): Failure => ({
  id: link.id,
  name: link.name,
  error: new ApiError(error.code, error.message, 0, error.details),
});

/** Reports that other links match than expected, after some requests have changed links. */
export class PartlyChanged extends Error {
  constructor(
    readonly done: number,
    cause: unknown,
  ) {
    super('Other links match', { cause });
  }
}

/**
 * Returns a function that changes all links that filters find, if they are as many as expected. It sends as many requests as the
 * service needs. Called again after a failure, it continues with the rest. Links of `ids` that no longer exist are left out.
 *
 * @param post Sends one request, and may repeat it.
 * @throws PartlyChanged
 */
export function changeByFilter(
  body: ByFilterBody,
  post: (body: ByFilterBody, key: string) => Promise<ByFilterAnswer>,
): { run: () => Promise<Outcome>; done: () => number } {
  const outcome: Outcome = { done: 0, failures: [], gone: 0 };
  let next: Pick<ByFilterBody, 'after' | 'expected_count'> | null = { expected_count: body.expected_count };
  let key = idempotencyKey();
  const run = async (): Promise<Outcome> => {
    while (next !== null) {
      const expected = next;
      try {
        const answer = await post({ ...body, ...expected }, key);
        outcome.done += answer.changed + answer.unchanged;
        outcome.failures.push(...answer.failures.map(({ error, ...link }) => failureOf(link, error)));
        next = answer.next_after === null ? null : { after: answer.next_after, expected_count: answer.remaining };
      } catch (error) {
        const actual = actualCount(error);
        const existing = body.ids && actual;
        if (existing === undefined || existing >= expected.expected_count)
          throw actual !== undefined && outcome.done > 0 ? new PartlyChanged(outcome.done, error) : error;
        outcome.gone += expected.expected_count - existing;
        next = existing === 0 ? null : { ...expected, expected_count: existing };
      }
      key = idempotencyKey();
    }
    return outcome;
  };
  return { run, done: () => outcome.done };
}

/** Returns how many links there are, if there are not as many as expected. */
const actualCount = (error: unknown): number | undefined =>
  error instanceof ApiError && error.details !== undefined && 'actual_count' in error.details
    ? error.details.actual_count
    : undefined;
