import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  flagAnswer,
  idAnswer,
  momentAnswer,
  nullableIdAnswer,
  nullableTextAnswer,
  projectIdAnswer,
  textAnswer,
  timeAnswer,
} from '../../api-kit/kit/answer';
import { CreatesFields } from '../../api-kit/kit/field-table.decorators';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { dateTime } from '../../shared/date-time';
import { type CreateBody, type Field, shapeOf } from '../../shared/field-table';
import { uuid } from '../../shared/id';
import { displayName, text } from '../../shared/text';
import { timeZone } from '../../shared/time-zone';
import { maxShareDays, type Share } from './share';

const examples = {
  name: 'Summer campaign',
  link: '0198c0de-7e57-7000-8000-000000000002',
  tag: '0198c0de-7e57-7000-8000-000000000006',
  zone: 'Europe/Berlin',
  end: '2026-12-04T23:00:00Z',
};

const creationFields = {
  name: {
    rule: displayName,
    required: true,
    description: 'Title of the page. Its readers see it.',
    example: examples.name,
  },
  dynamic_link_id: {
    rule: uuid,
    description:
      'Id of the dynamic link whose clicks the page shows. Default: those of the whole project, or of `tag_id`.',
    example: examples.link,
  },
  tag_id: {
    rule: uuid,
    description: 'Id of the tag whose links the page shows. It excludes `dynamic_link_id`.',
    example: examples.tag,
  },
  timezone: {
    rule: timeZone,
    description: 'Time zone of the days on the page: a name of the IANA time zone database. Default: UTC.',
    example: examples.zone,
  },
  expires_at: {
    rule: dateTime,
    required: true,
    description: `Time at which the page ends, at most ${maxShareDays} days from now.`,
    example: examples.end,
  },
  password: {
    rule: text({ min: 8, max: 200 }),
    description: 'Password that readers enter. The service stores a hash of it. Default: the address is enough.',
    example: 'river-otter-piano',
  },
} as const satisfies Record<string, Field>;

@CreatesFields(creationFields)
export class CreateShareBody extends shapeOf<CreateBody<typeof creationFields>>() {}

@ApiSchema({ name: 'Share' })
export class ShareDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-0000000000e1'),
  project_id: projectIdAnswer,
  name: textAnswer('Title of the page.', examples.name),
  dynamic_link_id: nullableIdAnswer('Dynamic link whose clicks the page shows.', examples.link),
  tag_id: nullableIdAnswer('Tag whose links the page shows.', examples.tag),
  timezone: textAnswer('Time zone of the days on the page.', examples.zone),
  has_password: flagAnswer('Whether readers enter a password.', true),
  expires_at: momentAnswer('Time at which the page ends.', '2026-12-04T23:00:00.000Z'),
  created_at: timeAnswer,
}) {
  static of(this: void, share: Share): ShareDto {
    return ShareDto.render(share, { has_password: share.passwordHash !== null });
  }
}

@ApiSchema({ name: 'CreatedShare' })
export class CreatedShareDto extends answer(
  {
    url: nullableTextAnswer(
      'Address of the page. Only this response contains it, because the service stores only a digest. Null in a response ' +
        'that is repeated for the same `Idempotency-Key`.',
      'https://signpost.example.com/shared/…',
    ),
  },
  ShareDto,
) {}

export class ShareResponse extends dataOf(ShareDto) {}
export class CreatedShareResponse extends dataOf(CreatedShareDto) {}
export class SharePage extends pageOf(ShareDto) {}
