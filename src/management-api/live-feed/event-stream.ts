import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { retried } from '../../api-kit/kit/long-requests';
import type { Project } from '../../links/projects/project';
import { PgJournalRepository } from '../../tenancy/journal/pg-journal.repository';
import { PgWebhookEvents } from '../../tenancy/webhooks/pg-webhook-events';
import type { WebhookEvent } from '../../tenancy/webhooks/webhook-event';

/** Tests lower them. */
export const streamTimes = { lookIntervalMs: 1000, maxMs: 300_000 };

/** After so many looks without an event, a place keeps proxies from closing the connection. */
const quietLooks = 15;

/** Reads new events of a project from the journal. */
@Injectable()
export class EventStream {
  constructor(
    private readonly events: PgWebhookEvents,
    private readonly journal: PgJournalRepository,
  ) {}

  /**
   * Returns events after one of them, or from now on. A batch without events tells the place of the reader.
   * @param last the number of the last event that the reader has; null if it has none
   */
  async *follow(
    { id: projectId, accountId }: Project,
    last: number | null,
    isOver: () => boolean,
  ): AsyncGenerator<{ events: WebhookEvent[]; upTo: number }> {
    const endsAt = performance.now() + streamTimes.maxMs;
    const filter = { accountId, projectId, eventTypes: null, tagIds: null, perLink: false };
    let place = last ?? Infinity;
    for (let look = 0; performance.now() < endsAt && !isOver(); look++) {
      await retried(() => this.journal.seal());
      const head = await retried(() => this.journal.lastSequence(accountId));
      const batch = await retried(() => this.events.after(filter, Math.min(place, head), head));
      place = batch.upTo;
      if (batch.events.length > 0 || look % quietLooks === 0) yield batch;
      if (place === head) await sleep(streamTimes.lookIntervalMs);
    }
  }
}
