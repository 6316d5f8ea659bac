import type { CustomDomain, Import, Webhook } from 'signpost-client';

/** A resource that fails, with the time from which that is known. */
export interface Failure {
  kind: 'domain' | 'webhook' | 'import';
  id: string;
  name: string;
  at: string;
  runbook: string;
}

const dayMs = 24 * 60 * 60_000;

const runbooks: Record<Failure['kind'], string> = {
  domain: 'docs/operating/alerts-dependencies.md#signpostcustomdomainsunverified',
  webhook: 'docs/operating/alerts-dependencies.md#signpostwebhooksfailing',
  import: 'docs/operating/alerts-database.md#signpostimportsfailing',
};

/** Returns what fails now, and the imports that failed within the last day; the newest first. */
export function failuresOf(
  { projectId, now }: { projectId: string; now: number },
  domains: readonly Pick<CustomDomain, 'id' | 'hostname' | 'record_missing_since'>[],
  webhooks: readonly Pick<Webhook, 'id' | 'url' | 'project_id' | 'failing_since' | 'disabled_at'>[],
  imports: readonly Pick<Import, 'id' | 'source' | 'state' | 'finished_at'>[],
): Failure[] {
  const failure = (kind: Failure['kind'], id: string, name: string, at: string | null): Failure[] =>
    at === null ? [] : [{ kind, id, name, at, runbook: runbooks[kind] }];
  const isRecent = (at: string | null): boolean => at !== null && now - Date.parse(at) < dayMs;
  return [
    ...domains.flatMap((domain) => failure('domain', domain.id, domain.hostname, domain.record_missing_since)),
    ...webhooks
      .filter((webhook) => webhook.project_id === null || webhook.project_id === projectId)
      .flatMap(({ id, url, disabled_at, failing_since }) => failure('webhook', id, url, disabled_at ?? failing_since)),
    ...imports
      .filter(({ state, finished_at }) => state === 'failed' && isRecent(finished_at))
      .flatMap(({ id, source, finished_at }) => failure('import', id, source, finished_at)),
  ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
