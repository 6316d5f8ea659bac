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
import { IsDateTime, IsDisplayName } from '../../api-kit/kit/field.decorators';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { displayName } from '../../shared/text';
import type { CreatedApiKey } from './api-key';
import { optionally } from '../../api-kit/kit/rule.decorator';

const name = { description: 'Display name that helps users to distinguish their keys.', example: 'CI' };

export class CreateApiKeyBody {
  @IsDisplayName(name)
  name: string;

  @IsDateTime(
    optionally(
      'Expiry time, which must be in the future and cannot be changed later. Default: the key never expires.',
      '2099-12-31T00:00:00Z',
    ),
  )
  expires_at?: Date;
}

export class UpdateApiKeyBody {
  @IsDisplayName({ ...name, optional: true })
  name?: string;
}

@ApiSchema({ name: 'ApiKey' })
export class ApiKeyDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-000000000004'),
  name: { maxLength: displayName.schema.maxLength, ...name },
  prefix: textAnswer('The first characters of the key.', 'svc_live_4fJk'),
  user_id: idAnswerOf('User that the key acts for.', '0198c0de-7e57-7000-8000-0000000000aa'),
  created_at: timeAnswer,
  last_used_at: nullableMomentAnswer(
    'Time of the last use, to the minute. Null before the first use.',
    '2026-06-02T14:05:00.000Z',
  ),
  expires_at: nullableMomentAnswer('Expiry time. Null if the key never expires.', '2099-12-31T00:00:00.000Z'),
}) {}

@ApiSchema({ name: 'CreatedApiKey' })
export class CreatedApiKeyDto extends answer(
  {
    key: nullableTextAnswer(
      'The key itself. Only this response contains it, because the service stores only a digest. ' +
        'Null in a response that is repeated for the same `Idempotency-Key`.',
      'svc_live_…',
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
