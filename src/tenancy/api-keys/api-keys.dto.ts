import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsDateTime, IsDisplayName } from '../../api-kit/kit/field.decorators';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { displayName } from '../../shared/text';
import type { ApiKey, CreatedApiKey } from './api-key';

const name = { description: 'Display name that helps users to distinguish their keys.', example: 'CI' };

export class CreateApiKeyBody {
  @IsDisplayName(name)
  name: string;

  @IsDateTime({
    description:
      'Expiry time, which must be in the future and cannot be changed later. Default: the key never expires.',
    example: '2099-12-31T00:00:00Z',
    optional: true,
  })
  expires_at?: Date;
}

export class UpdateApiKeyBody {
  @IsDisplayName({ ...name, optional: true })
  name?: string;
}

@ApiSchema({ name: 'ApiKey' })
export class ApiKeyDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000004' })
  id: string;

  @ApiProperty({ maxLength: displayName.schema.maxLength, ...name })
  name: string;

  @ApiProperty({ description: 'The first characters of the key.', example: 'svc_live_4fJk' })
  prefix: string;

  @ApiProperty({
    format: 'uuid',
    description: 'User that the key acts for.',
    example: '0198c0de-7e57-7000-8000-0000000000aa',
  })
  user_id: string;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Time of the last use, to the minute. Null before the first use.',
    example: '2026-06-02T14:05:00.000Z',
  })
  last_used_at: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Expiry time. Null if the key never expires.',
    example: '2099-12-31T00:00:00.000Z',
  })
  expires_at: string | null;

  static of(this: void, key: ApiKey): ApiKeyDto {
    return {
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      user_id: key.userId,
      created_at: key.createdAt.toISOString(),
      last_used_at: key.lastUsedAt?.toISOString() ?? null,
      expires_at: key.expiresAt?.toISOString() ?? null,
    };
  }
}

@ApiSchema({ name: 'CreatedApiKey' })
export class CreatedApiKeyDto extends ApiKeyDto {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'The key itself. Only this response contains it, because the service stores only a digest. ' +
      'Null in a response that is repeated for the same `Idempotency-Key`.',
    example: 'svc_live_…',
  })
  key: string | null;

  static ofCreated(this: void, key: CreatedApiKey): CreatedApiKeyDto {
    return { ...ApiKeyDto.of(key), key: key.secret };
  }
}

export class ApiKeyResponse extends dataOf(ApiKeyDto) {}
export class CreatedApiKeyResponse extends dataOf(CreatedApiKeyDto) {}
export class ApiKeyPage extends pageOf(ApiKeyDto) {}
