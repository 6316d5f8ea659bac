import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsJsonBoolean } from '../kit/field.decorators';
import { PageQuery } from '../kit/list-query';
import { dataOf, pageOf } from '../openapi/envelopes';
import { type CustomDomain, type CustomDomainStatus, statuses } from './custom-domain';
import { IsHostname } from './custom-domains.decorators';
import type { Hostname } from './hostname';

export class AddCustomDomainBody {
  @IsHostname({
    description:
      'Your own host name, without scheme and port, of at most 230 characters as A-labels. Letter case, internationalised ' +
      "names and a final dot are normalised. Addresses, wildcards, single labels, names that are not of the public internet, and the service's own hosts are refused.",
    example: 'links.example.com',
  })
  hostname: Hostname;
}

export class UpdateCustomDomainBody {
  @IsJsonBoolean({
    description:
      "`true`: the project's links are on this domain, and on no other one. `false`: they go back to the subdomain. Either way the project answers on both.",
    example: true,
    optional: true,
  })
  active?: boolean;
}

export class ListCustomDomainsQuery extends PageQuery {}

@ApiSchema({ name: 'VerificationRecord' })
export class VerificationRecordDto {
  @ApiProperty({ enum: ['TXT'], example: 'TXT' })
  type: 'TXT';

  @ApiProperty({ description: 'Name of the record.', example: '_link-domain-challenge.links.example.com' })
  name: string;

  @ApiProperty({ description: 'Its value.', example: '5f0c7f1c0a4d4a2e9b6a2f1f7d3b8c9e01234567' })
  value: string;
}

@ApiSchema({ name: 'CustomDomain' })
export class CustomDomainDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-0000000000d1' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000001' })
  project_id: string;

  @ApiProperty({ description: 'In lower case, internationalised names as A-labels.', example: 'links.example.com' })
  hostname: string;

  @ApiProperty({
    enum: statuses,
    enumName: 'CustomDomainStatus',
    description:
      "`pending`: not proved yet, or no longer. `verified`: the project answers on it. `active`: the project's links are on it too.",
    example: 'verified',
  })
  status: CustomDomainStatus;

  @ApiProperty({ description: "Whether the project's links are on it, as `status` says too.", example: false })
  active: boolean;

  @ApiProperty({
    type: VerificationRecordDto,
    description: 'Proves that the domain is yours, as long as it is in the DNS.',
  })
  verification_record: VerificationRecordDto;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: '2026-06-01T09:45:00.000Z' })
  verified_at: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the record was last looked for and the DNS gave an answer.',
    example: '2026-06-02T09:45:00.000Z',
  })
  checked_at: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description:
      'Since when the record of a proved domain is not found. After the grace time, seven days unless the service is set otherwise, the domain is `pending` again.',
    example: null,
  })
  record_missing_since: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  updated_at: string;

  static of(this: void, domain: CustomDomain): CustomDomainDto {
    return {
      id: domain.id,
      project_id: domain.projectId,
      hostname: domain.hostname,
      status: domain.status,
      active: domain.active,
      verification_record: { type: 'TXT', ...domain.record },
      verified_at: domain.verifiedAt?.toISOString() ?? null,
      checked_at: domain.checkedAt?.toISOString() ?? null,
      record_missing_since: domain.recordMissingSince?.toISOString() ?? null,
      created_at: domain.createdAt.toISOString(),
      updated_at: domain.updatedAt.toISOString(),
    };
  }
}

export class CustomDomainResponse extends dataOf(CustomDomainDto) {}
export class CustomDomainPage extends pageOf(CustomDomainDto) {}
