import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { dataOf } from '../../api-kit/openapi/envelopes';
import type { AccountWithUsage } from './accounts.service';
import { features, featuresOf, plans } from './plan';
import type { QuotaUsage } from './quotas';

export class QuotaUse {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 0,
    description: 'Maximum number. Null if the number is unlimited.',
    example: 10,
  })
  limit: number | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Current number. It can exceed the limit after a downgrade.',
    example: 3,
  })
  used: number;
}

export class AccountQuotas {
  @ApiProperty({ type: QuotaUse })
  projects: QuotaUsage;

  @ApiProperty({ type: QuotaUse, description: 'Dynamic links of all projects.' })
  dynamic_links: QuotaUsage;

  @ApiProperty({
    type: QuotaUse,
    description: 'Bytes that imports store: their files, and 300 bytes for each row beside its texts.',
  })
  import_bytes: QuotaUsage;

  @ApiProperty({ type: QuotaUse, description: 'API keys that have not been revoked.' })
  api_keys: QuotaUsage;
}

@ApiSchema({ name: 'Account' })
export class AccountDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000005' })
  id: string;

  @ApiProperty({ example: 'Example Ltd' })
  name: string;

  @ApiProperty({ enum: plans, example: 'pro' })
  plan: string;

  @ApiProperty({ enum: features, isArray: true, description: 'Features that the plan includes.', example: features })
  features: readonly string[];

  @ApiProperty({ type: AccountQuotas })
  quotas: AccountQuotas;

  @ApiProperty({
    format: 'uuid',
    description: 'User that the request acts for. A resource that it creates has this id as `user_id` or `created_by`.',
    example: '0198c0de-7e57-7000-8000-0000000000aa',
  })
  user_id: string;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  created_at: string;

  static of({ account, usage }: AccountWithUsage, userId: string): AccountDto {
    return {
      id: account.id,
      name: account.name,
      plan: account.plan,
      features: featuresOf(account.plan),
      quotas: {
        projects: usage.projects,
        dynamic_links: usage.dynamicLinks,
        import_bytes: usage.importBytes,
        api_keys: usage.apiKeys,
      },
      user_id: userId,
      created_at: account.createdAt.toISOString(),
    };
  }
}

export class AccountResponse extends dataOf(AccountDto) {}
