import type { DynamicLinkWithApps, operations } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { idempotencyKey } from '../../api/idempotency-key';
import { withRetries } from '../../api/retries';
import type { PlannedEdit } from './bulk-edit';
import { type ByFilterAnswer, type ByFilterBody, changeByFilter, failureOf, type Outcome } from './change-by-filter';

type BulkBody = operations['changeDynamicLinks']['requestBody']['content']['application/json'];
type Operation = BulkBody['operations'][number];
export type LinkFilters = ByFilterBody['filter'];
type ActionName = ByFilterBody['action'];

type StateAction = Exclude<ActionName, 'add_tags' | 'remove_tags'>;

/** A change that several links get. */
export type BulkChange = { action: 'add_tags' | 'remove_tags'; tags: string[] } | { action: StateAction };

/** Failures in a row after which a change of many links stops. Waits without a time that the service asks for take 15 s. */
const maxRetries = 4;

const states = {
  archive: { archived: true },
  unarchive: { archived: false },
  disable: { disabled: true },
  enable: { disabled: false },
} as const;

const operationOn = (id: string, action: StateAction): Operation =>
  action === 'delete' ? { op: 'delete', id } : { op: 'update', id, link: states[action] };

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
    const body = { filter: { archived: 'any' as const }, ids, ...change, expected_count: ids.length };
    return changeByFilter(body, byFilter(projectId)).run;
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
    return { done: data.succeeded, failures, gone: 0 };
  };
}

/**
 * Returns a function that changes all links that filters find, if they are as many as expected. Many links take more requests than
 * the rate limit allows in a minute, so it waits and goes on where it stopped. After `signal` aborts, it sends no more requests.
 */
export function changeMatching(
  projectId: string,
  filter: LinkFilters,
  change: BulkChange,
  expected: number,
  signal: AbortSignal,
): { run: () => Promise<Outcome>; done: () => number } {
  const post = byFilter(projectId);
  return changeByFilter({ filter, ...change, expected_count: expected }, (body, key) =>
    withRetries(() => post(body, key), maxRetries, signal),
  );
}

/** Updates of one request. Their answer has each link, so it is smaller than the service allows. */
const maxUpdates = 200;

/** Returns a function that changes links as planned. Called again after a failure, it continues with the rest. */
export function changePlanned(
  projectId: string,
  plan: readonly PlannedEdit[],
  signal: AbortSignal,
): { run: () => Promise<Outcome>; done: () => number } {
  const outcome: Outcome = { done: 0, failures: [], gone: 0 };
  let next = 0;
  let key = idempotencyKey();
  const run = async (): Promise<Outcome> => {
    while (next < plan.length) {
      const part = plan.slice(next, next + maxUpdates);
      const params = { path: { projectId }, header: { 'Idempotency-Key': key } };
      const body = {
        operations: part.map(({ id, change, updatedAt }): Operation => ({
          op: 'update',
          id,
          link: change,
          updated_at: updatedAt,
        })),
      };
      const { data } = await withRetries(
        () => answerOf(api.POST('/projects/{projectId}/links/bulk', { params, body })),
        maxRetries,
        signal,
      );
      outcome.done += data.succeeded;
      outcome.failures.push(...data.results.flatMap(({ error }, at) => (error ? [failureOf(part[at]!, error)] : [])));
      next += part.length;
      key = idempotencyKey();
    }
    return outcome;
  };
  return { run, done: () => outcome.done };
}

const byFilter =
  (projectId: string) =>
  async (body: ByFilterBody, key: string): Promise<ByFilterAnswer> => {
    const params = { path: { projectId }, header: { 'Idempotency-Key': key } };
    return (await answerOf(api.POST('/projects/{projectId}/links/bulk/by-filter', { params, body }))).data;
  };
