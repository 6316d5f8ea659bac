import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  choiceAnswer,
  countAnswer,
  momentAnswer,
  nullableIdAnswer,
  nullableIdsAnswer,
  textAnswer,
  valuesAnswer,
} from '../../api-kit/kit/answer';
import { eventTypes } from '../journal/event-types';

const linkId = '0198c0de-7e57-7000-8000-000000000002';

@ApiSchema({ name: 'EventActor' })
class EventActorDto extends answer({
  kind: choiceAnswer(['user', 'key', 'shell', 'import', 'service', 'database'], 'As in the audit log.', 'user'),
  id: nullableIdAnswer('The user, API key or import.', '0198c0de-7e57-7000-8000-0000000000aa'),
}) {}

@ApiSchema({ name: 'EventData' })
class EventDataDto extends answer({
  version: { type: 'integer', enum: [1], description: 'Version of the form of `data`.', example: 1 },
  project_id: nullableIdAnswer('Null for resources of the account.', '0198c0de-7e57-7000-8000-000000000001'),
  resource_id: nullableIdAnswer('The resource. Null for a batch.', linkId),
  resource_count: countAnswer('Number of resources that changed.', 1),
  resource_ids: nullableIdsAnswer('The first 1,000 resources of a batch. Null for one resource.', [linkId]),
  actor: { type: EventActorDto },
  before: valuesAnswer(
    'Former values of what changed, or all values of a deleted resource. Null for a creation and a batch.',
    {
      desktop_url: 'https://example.com/old',
    },
  ),
  after: valuesAnswer('New values of what changed, or all values of a new resource. Null for a deletion and a batch.', {
    desktop_url: 'https://example.com/new',
  }),
}) {}

@ApiSchema({ name: 'CloudEvent' })
export class CloudEventDto extends answer({
  specversion: { type: 'string', enum: ['1.0'], example: '1.0' },
  id: textAnswer('Number of the event in the account. For a resource of a batch, its place follows.', '4712'),
  source: textAnswer('The account.', '/accounts/0198c0de-7e57-7000-8000-0000000000ac'),
  type: {
    anyOf: [{ type: 'string', enum: [...eventTypes, 'webhook.test'] }, { type: 'string' }],
    description:
      'Kind of the resource and what happened. Further types can follow, so ignore those that you do not know.',
    example: 'link.updated',
  },
  subject: { ...textAnswer('Id of the resource. Absent for a batch.', linkId), required: false },
  time: momentAnswer('Time of the change, by the clock of the database.', '2026-06-01T12:30:45.678Z'),
  datacontenttype: { type: 'string', enum: ['application/json'], example: 'application/json' },
  data: { type: EventDataDto },
}) {}
