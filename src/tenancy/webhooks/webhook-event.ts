import type { Actor } from '../../shared/actor';
import type { JournalEntry } from '../journal/journal-entry';

/** An event of the journal, or one resource of a batch. */
export interface WebhookEvent extends Omit<JournalEntry, 'resourceName' | 'actorName' | 'requesterName'> {
  /** The place of the resource in the batch, from 1; 0 for the whole entry. */
  part: number;
  /** Of a batch, if it is not divided; null otherwise. */
  resourceIds: string[] | null;
}

/** Ids in the summary of a batch. */
export const maxSummaryIds = 1000;

/** Returns the id of the event in its account. It never changes. */
export const eventIdOf = ({ sequence, part }: Pick<WebhookEvent, 'sequence' | 'part'>): string =>
  part === 0 ? String(sequence) : `${sequence}-${part}`;

/** Returns the actor without addresses and requests. */
function publicActor({ kind, user_id, api_key_id, import_id }: Actor): { kind: string; id: string | null } {
  const id = { user: user_id, key: api_key_id, import: import_id, shell: undefined, service: undefined }[kind];
  return { kind, id: id ?? null };
}

/** Returns the event in the form of CloudEvents 1.0. */
export const cloudEventOf = (event: WebhookEvent, accountId: string) => ({
  specversion: '1.0',
  id: eventIdOf(event),
  source: `/accounts/${accountId}`,
  type: event.type,
  ...(event.resourceId !== null && { subject: event.resourceId }),
  time: event.at.toISOString(),
  datacontenttype: 'application/json',
  data: {
    version: 1,
    project_id: event.projectId,
    resource_id: event.resourceId,
    resource_count: event.resourceCount,
    resource_ids: event.resourceIds?.slice(0, maxSummaryIds) ?? null,
    actor: publicActor(event.actor),
    before: event.before,
    after: event.after,
  },
});

export const testEventOf = (id: string, at: Date, accountId: string, webhookId: string) => ({
  specversion: '1.0',
  id,
  source: `/accounts/${accountId}`,
  type: 'webhook.test',
  subject: webhookId,
  time: at.toISOString(),
  datacontenttype: 'application/json',
  data: { version: 1 },
});
