import type { DynamicLinkWithApps, operations } from 'signpost-client';
import { ApiError } from '../../api/api-error';
import { answerOf, api, idempotencyKey } from '../../api/client';

type ByFilterBody = operations['changeMatchingDynamicLinks']['requestBody']['content']['application/json'];
type BulkBody = operations['changeDynamicLinks']['requestBody']['content']['application/json'];
type Operation = BulkBody['operations'][number];
export type LinkFilters = ByFilterBody['filter'];
type ActionName = ByFilterBody['action'];

type StateAction = Exclude<ActionName, 'add_tags' | 'remove_tags'>;

/** A change that several links get. */
export type BulkChange = { action: 'add_tags' | 'remove_tags'; tags: string[] } | { action: StateAction };

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

const operationOn = (id: string, action: StateAction): Operation =>
  action === 'delete' ? { op: 'delete', id } : { op: 'update', id, link: states[action] };

const failureOf = (link: { id: string; name: string }, error: ErrorOfLink): Failure => ({
  id: link.id,
  name: link.name,
  error: new ApiError(error.code, error.message, 0, error.details),
});

type ErrorOfLink = Pick<ApiError, 'message'> & { code: ApiError['code']; details?: ApiError['details'] };

/**
 * Returns a function that changes links by one request. Calling it again after a failure changes nothing twice. The service adds
 * and removes tags, because others may have changed those of a link since it was listed.
 */
export function changeSelected(
  projectId: string,
  links: readonly DynamicLinkWithApps[],
  change: BulkChange,
): () => Promise<Outcome> {
  if ('tags' in change) {
    const ids = links.map(({ id }) => id);
    return changeMatching(projectId, { archived: 'any' }, change, ids.length, ids).run;
  }
  const key = idempotencyKey();
  return async () => {
    const { data } = await answerOf(
      api.POST('/projects/{projectId}/links/bulk', {
        params: { path: { projectId }, header: { 'Idempotency-Key': key } },
        body: { operations: links.map(({ id }) => operationOn(id, change.action)) },
      }),
    );
    const failures = data.results.flatMap(({ error }, at) => (error ? [failureOf(links[at]!, error)] : []));
    return { done: data.succeeded, failures };
  };
}

/**
 * Returns a function that changes all links that filters find, if they are as many as expected. It sends as many requests as the
 * service needs. Called again after a failure, it goes on where it stopped.
 *
 * @param ids leaves only these of the links that the filters find
 */
export function changeMatching(
  projectId: string,
  filter: LinkFilters,
  change: BulkChange,
  expected: number,
  ids?: string[],
): { run: () => Promise<Outcome>; done: () => number } {
  const outcome: Outcome = { done: 0, failures: [] };
  let next: { after?: string; expected_count: number } | null = { expected_count: expected };
  let key = idempotencyKey();
  const run = async (): Promise<Outcome> => {
    while (next !== null) {
      const { data } = await answerOf(
        api.POST('/projects/{projectId}/links/bulk/by-filter', {
          params: { path: { projectId }, header: { 'Idempotency-Key': key } },
          body: { filter, ids, ...change, ...next },
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
