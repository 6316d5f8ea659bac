import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  countAnswer,
  idAnswerOf,
  momentAnswer,
  nullableIdAnswer,
  nullableTextAnswer,
  textAnswer,
  valuesAnswer,
} from '../../api-kit/kit/answer';
import { IsMoment, IsQueryInteger, IsResourceId } from '../../api-kit/kit/field.decorators';
import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { queryInteger } from '../../shared/rule';
import { text } from '../../shared/text';
import type { JournalEntry, JournalFilter } from './journal-entry';

export const entriesPerPage = { minimum: 1, maximum: 100, default: 20 };

const userId = '0198c0de-7e57-7000-8000-0000000000aa';
const linkId = '0198c0de-7e57-7000-8000-000000000002';

export const sequenceRule = queryInteger({ minimum: 1 });

const IsEntryCursor = ruleDecorator(sequenceRule);
const IsEntryType = ruleDecorator(
  text({
    min: 1,
    max: 50,
    pattern: /^[a-z_]+(?:\.[a-z_]+)?$/,
    patternSays: 'be a type such as link.updated, or a kind such as link',
  }),
);

export class JournalQuery {
  @IsResourceId(optionally('Id of a resource. Of a batch, the entry then has the values of this resource.', linkId))
  resource_id?: string;

  @IsEntryType(optionally('Type of the entry, or kind of the resource.', 'link.updated'))
  type?: string;

  @IsResourceId(optionally('Id of a user, an API key or an import.', userId))
  actor_id?: string;

  @IsMoment(optionally('Start of the period, included.', '2026-06-01T00:00:00Z'))
  from?: number;

  @IsMoment(optionally('End of the period, excluded.', '2026-06-02T00:00:00Z'))
  to?: number;

  static filterOf({ resource_id, type, actor_id, from, to }: JournalQuery): JournalFilter {
    return { resourceId: resource_id, type, actorId: actor_id, from, to };
  }
}

export class JournalPageQuery extends JournalQuery {
  @IsEntryCursor(optionally('`nextCursor` of the previous page: entries with a smaller number follow.', 4711))
  cursor?: number;

  @IsQueryInteger({ ...entriesPerPage, description: 'Number of entries per page.' })
  limit: number;
}

const optional = <const S extends object>(schema: S) => ({ ...schema, required: false }) as const;

@ApiSchema({ name: 'JournalActor' })
export class ActorDto extends answer({
  kind: {
    enum: ['user', 'key', 'shell', 'import', 'service', 'database'],
    description:
      'A signed-in person, an API key, a command of an operator, an import, the service itself, or a program that changed the database.',
    example: 'user',
  },
  user_id: optional(idAnswerOf('User who made the change, or for whom the key acts.', userId)),
  requested_by: optional(idAnswerOf('User who requested the change, if the actor approved it.', userId)),
  api_key_id: optional(idAnswerOf('API key that made the change.', '0198c0de-7e57-7000-8000-000000000004')),
  import_id: optional(idAnswerOf('Import that made the change.', '0198c0de-7e57-7000-8000-000000000006')),
  address: optional(textAnswer('Network address of the client, as the service is set up to keep it.', '203.0.113.0')),
  request_id: optional(textAnswer('`X-Request-Id` of the request.', 'c8e9a6c2-9b7e-4b8c-a1d6-0d7f6c9f1e11')),
}) {}

@ApiSchema({ name: 'JournalEntry' })
export class JournalEntryDto extends answer({
  sequence: {
    type: 'integer',
    minimum: 1,
    description: 'Number of the entry in the account, without gaps.',
    example: 4712,
  },
  at: momentAnswer('Time of the change, by the clock of the database.', '2026-06-01T12:30:45.678Z'),
  type: textAnswer('Kind of the resource and action.', 'link.updated'),
  version: {
    type: 'integer',
    enum: [1],
    description: 'Version of the form of `before` and `after` for this type.',
    example: 1,
  },
  project_id: nullableIdAnswer(
    'Project of the resource. Null for resources of the account.',
    '0198c0de-7e57-7000-8000-000000000001',
  ),
  resource_id: nullableIdAnswer('The resource. Null for a batch.', linkId),
  resource_name: nullableTextAnswer(
    'Name, slug or host name of the resource, as it is now, or as a deletion has it. Null for a batch.',
    'Summer sale',
  ),
  resource_count: countAnswer('Number of resources that changed.', 1),
  actor: { type: ActorDto },
  actor_name: nullableTextAnswer(
    'E-mail address of the person, or name of the API key, as they are now.',
    'anna@example.com',
  ),
  requester_name: nullableTextAnswer(
    'E-mail address or subject of the person who requested the change, if the actor approved it.',
    null,
  ),
  before: valuesAnswer(
    'Former values of what changed, or all values of a deleted resource. Null for a creation, and for a batch without `resource_id` in the query.',
    { desktop_url: 'https://example.com/old' },
  ),
  after: valuesAnswer(
    'New values of what changed, or all values of a new resource. Null for a deletion, and as for `before`.',
    {
      desktop_url: 'https://example.com/new',
    },
  ),
}) {
  static of(this: void, entry: JournalEntry): JournalEntryDto {
    return JournalEntryDto.render(entry, { version: 1, actor: entry.actor });
  }
}

class EntryPagination extends answer({
  limit: { type: 'integer', ...entriesPerPage, example: entriesPerPage.default },
  nextCursor: nullableTextAnswer('Value of `cursor` for the next page; null on the last page.', '4693'),
  hasNextPage: { type: 'boolean', example: true },
}) {}

@ApiSchema({ name: 'JournalPage' })
export class JournalPage extends answer({
  data: { type: [JournalEntryDto] },
  pagination: { type: EntryPagination },
}) {
  /** @param entries one more than `limit` if another page follows */
  static of(entries: JournalEntry[], limit: number): JournalPage {
    const listed = entries.slice(0, limit);
    const hasNextPage = entries.length > limit;
    return {
      data: listed.map((entry) => JournalEntryDto.of(entry)),
      pagination: { limit, nextCursor: hasNextPage ? String(listed.at(-1)!.sequence) : null, hasNextPage },
    };
  }
}
