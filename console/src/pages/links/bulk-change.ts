import type { DynamicLinkWithApps, operations } from 'signpost-client';
import { ApiError } from '../../api/api-error';
import { answerOf, api, idempotencyKey } from '../../api/client';

type ByFilterBody = operations['changeMatchingDynamicLinks']['requestBody']['content']['application/json'];
type BulkBody = operations['changeDynamicLinks']['requestBody']['content']['application/json'];
type Operation = BulkBody['operations'][number];
export type LinkFilters = ByFilterBody['filter'];
type ActionName = ByFilterBody['action'];

/** A change that several links get. */
export type BulkChange =
  { action: 'add_tags' | 'remove_tags'; tags: string[] } | { action: Exclude<ActionName, 'add_tags' | 'remove_tags'> };

export interface Failure {
  id: string;
  name: string;
  error: ApiError;
}

export interface Outcome {
  /** Links that have the state now, also those that had it before. */
  done: number;
  failures: Failure[];
}

const states = {
  archive: { archived: true },
  unarchive: { archived: false },
  disable: { disabled: true },
  enable: { disabled: false },
} as const;

const isNamed = (name: string, others: readonly string[]): boolean =>
  others.some((other) => other.toLowerCase() === name.toLowerCase());

function operationOn({ id, tags }: DynamicLinkWithApps, change: BulkChange): Operation {
  if (change.action === 'delete') return { op: 'delete', id };
  if (change.action === 'add_tags')
    return {
      op: 'update',
      id,
      link: { tags: [...tags, ...change.tags.filter((name) => !isNamed(name, tags))] },
    };
  if (change.action === 'remove_tags')
    return { op: 'update', id, link: { tags: tags.filter((name) => !isNamed(name, change.tags)) } };
  return { op: 'update', id, link: states[change.action] };
}

const failureOf = (link: { id: string; name: string }, error: ErrorOfLink): Failure => ({
  id: link.id,
  name: link.name,
  error: new ApiError(error.code, error.message, 0, error.details),
});

type ErrorOfLink = Pick<ApiError, 'message'> & { code: ApiError['code']; details?: ApiError['details'] };

/** Returns a function that changes links by one request. Calling it again after a failure changes nothing twice. */
export function changeSelected(
  projectId: string,
  links: readonly DynamicLinkWithApps[],
  change: BulkChange,
): () => Promise<Outcome> {
  const key = idempotencyKey();
  return async () => {
    const { data } = await answerOf(
      api.POST('/projects/{projectId}/links/bulk', {
        params: { path: { projectId }, header: { 'Idempotency-Key': key } },
        body: { operations: links.map((link) => operationOn(link, change)) },
      }),
    );
    const failures = data.results.flatMap(({ error }, at) => (error ? [failureOf(links[at]!, error)] : []));
    return { done: data.succeeded, failures };
  };
}

/**
 * Returns a function that changes all links that filters find, if they are as many as expected. It sends as many requests as the
 * service needs. Called again after a failure, it goes on where it stopped.
 */
export function changeMatching(
  projectId: string,
  filter: LinkFilters,
  change: BulkChange,
  expected: number,
): { run: () => Promise<Outcome>; done: () => number } {
  const outcome: Outcome = { done: 0, failures: [] };
  let next: { after?: string; expected_count: number } | null = { expected_count: expected };
  let key = idempotencyKey();
  const run = async (): Promise<Outcome> => {
    while (next !== null) {
      const { data } = await answerOf(
        api.POST('/projects/{projectId}/links/bulk/by-filter', {
          params: { path: { projectId }, header: { 'Idempotency-Key': key } },
          body: { filter, ...change, ...next },
        }),
      );
      outcome.done += data.changed + data.unchanged;
      outcome.failures.push(...data.failures.map(({ error, ...link }) => failureOf(link, error)));
      key = idempotencyKey();
      next = data.next_after === null ? null : { after: data.next_after, expected_count: data.remaining };
    }
    return outcome;
  };
  return { run, done: () => outcome.done };
}
