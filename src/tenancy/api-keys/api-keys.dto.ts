import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  idAnswer,
  idAnswerOf,
  nullableMomentAnswer,
  nullableTextAnswer,
  textAnswer,
  timeAnswer,
} from '../../api-kit/kit/answer';
import { answersOf, bodyReader, CreatesFields, UpdatesFields } from '../../api-kit/kit/field-table.decorators';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { dateTime } from '../../shared/date-time';
import { type CreateBody, type Field, shapeOf, type UpdateBody } from '../../shared/field-table';
import type { ApiKeyValues, CreatedApiKey } from './api-key';
import { type ApiKeyFields, apiKeyFields } from './api-key-fields';
import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { jsonBoolean, jsonInteger } from '../../shared/rule';
import { text } from '../../shared/text';

const creationFields = {
  ...apiKeyFields,
  publishable: {
    rule: jsonBoolean,
    description:
      'Whether the key may stand in pages, which everybody can read. It creates links and short links, and sends conversions, only. It needs ' +
      '`allowed_origins` and `project_ids`, and `destination_hosts` for links. It cannot be changed later. Default: false.',
    example: true,
  },
  expires_at: {
    rule: dateTime,
    description:
      'Expiry time, which must be in the future and cannot be changed later. Default: the key never expires.',
    example: '2099-12-31T00:00:00Z',
  },
} as const satisfies Record<string, Field>;

@CreatesFields(creationFields)
export class CreateApiKeyBody extends shapeOf<CreateBody<typeof creationFields>>() {}

const IsKeyText = ruleDecorator(text({ min: 1, max: 500 }));
const IsOverlap = ruleDecorator(jsonInteger({ minimum: 0, maximum: 720 }));

export class RotateApiKeyBody {
  @IsOverlap({ description: 'Hours in which both keys work. Default: 24.', example: 24, optional: true })
  overlap_hours?: number;
}

export class RevokeLeakedKeyBody {
  @IsKeyText({ description: 'The text of the key, as it was found.', example: 'svc_live_…' })
  key: string;
}

@UpdatesFields(apiKeyFields)
export class UpdateApiKeyBody extends shapeOf<UpdateBody<ApiKeyFields>>() {}

export const toApiKeyValues: (body: CreateApiKeyBody) => ApiKeyValues = bodyReader(apiKeyFields);
export const toApiKeyChanges: (body: UpdateApiKeyBody) => Partial<ApiKeyValues> = bodyReader(apiKeyFields);

const answers = answersOf(apiKeyFields);

@ApiSchema({ name: 'ApiKey' })
export class ApiKeyDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-000000000004'),
  name: answers.name,
  prefix: textAnswer('The first characters of the key.', 'svc_pub_4fJk'),
  user_id: idAnswerOf('User that the key acts for.', '0198c0de-7e57-7000-8000-0000000000aa'),
  created_at: timeAnswer,
  last_used_at: nullableMomentAnswer(
    'Time of the last use, to the minute. Null before the first use.',
    '2026-06-02T14:05:00.000Z',
  ),
  expires_at: nullableMomentAnswer('Expiry time. Null if the key never expires.', '2099-12-31T00:00:00.000Z'),
  scopes: answers.scopes,
  project_ids: answers.project_ids,
  allowed_networks: answers.allowed_networks,
  destination_hosts: answers.destination_hosts,
  publishable: { type: 'boolean', description: 'Whether the key may stand in pages.', example: true },
  allowed_origins: answers.allowed_origins,
  links_per_day: answers.links_per_day,
}) {}

@ApiSchema({ name: 'CreatedApiKey' })
export class CreatedApiKeyDto extends answer(
  {
    key: nullableTextAnswer(
      'The key itself. Only this response contains it, because the service stores only a digest. ' +
        'Null in a response that is repeated for the same `Idempotency-Key`.',
      'svc_pub_…',
    ),
  },
  ApiKeyDto,
) {
  static ofCreated(this: void, key: CreatedApiKey): CreatedApiKeyDto {
    return { ...ApiKeyDto.render(key), key: key.secret };
  }
}

export class ApiKeyResponse extends dataOf(ApiKeyDto) {}
export class CreatedApiKeyResponse extends dataOf(CreatedApiKeyDto) {}
export class ApiKeyPage extends pageOf(ApiKeyDto) {}
