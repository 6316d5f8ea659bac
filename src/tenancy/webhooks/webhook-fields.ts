import { destinationUrl } from '../../shared/destination-url';
import type { Field } from '../../shared/field-table';
import { uuid } from '../../shared/id';
import { jsonBoolean, listOf } from '../../shared/rule';
import { text } from '../../shared/text';

const eventType = text({
  min: 3,
  max: 50,
  pattern: /^[a-z_]+\.(?:[a-z_]+|\*)$/,
  patternSays: 'be a type such as link.updated, or all of a kind such as link.*',
});

/** The fields of a webhook endpoint that callers set and change. */
export const webhookFields = {
  url: {
    rule: destinationUrl,
    required: true,
    answer: { format: 'uri' },
    description: 'Address that gets the events. It must have a host name, and the scheme `https`.',
    example: 'https://hooks.example.com/signpost',
  },
  description: {
    rule: text({ max: 200 }),
    default: null,
    description: 'Note for people.',
    example: 'Search index',
  },
  project_id: {
    rule: uuid,
    default: null,
    description: 'Sends only events of this project. Null: events of the account and of all its projects.',
    example: '0198c0de-7e57-7000-8000-000000000001',
  },
  event_types: {
    rule: listOf(eventType, { minItems: 1, maxItems: 50 }),
    default: null,
    description: 'Sends only these types. `link.*` is all types of a kind. Null: all.',
    example: ['link.*', 'domain.proof_lost'],
  },
  tag_ids: {
    rule: listOf(uuid, { minItems: 1, maxItems: 20 }),
    default: null,
    description: 'Sends only events of links that have one of these tags, now or in the change. Null: all.',
    example: ['0198c0de-7e57-7000-8000-000000000005'],
  },
  per_link: {
    rule: jsonBoolean,
    default: false,
    description: 'Sends an event for each resource of a bulk change or import, in place of one for each batch.',
    example: false,
  },
  enabled: {
    rule: jsonBoolean,
    default: true,
    description:
      'Whether events are sent. An endpoint that is enabled again gets all events since the last one that it got.',
    example: true,
  },
} as const satisfies Record<string, Field>;

export type WebhookFields = typeof webhookFields;
