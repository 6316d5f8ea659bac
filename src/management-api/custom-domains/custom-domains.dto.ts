import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsJsonBoolean } from '../kit/field.decorators';
import { PageQuery } from '../kit/list-query';
import { dataOf, pageOf } from '../openapi/envelopes';
import type { Problem } from '../../shared/problem';
import {
  type CustomDomain,
  type CustomDomainStatus,
  type DomainUse,
  openHostIsActive,
  statuses,
} from './custom-domain';
import { IsHostname } from './custom-domains.decorators';
import type { Hostname } from './hostname';

export class AddCustomDomainBody {
  @IsHostname({
    description:
      'Host name that you control, without port and path; at most 230 characters as A-labels. Letter case, ' +
      'internationalised names and a final dot are normalised. `https://` before it and a slash after it are removed. Addresses, wildcards, single labels, names outside the ' +
      'public internet, and host names of this service are refused.',
    example: 'links.example.com',
  })
  hostname: Hostname;
}

export class UpdateCustomDomainBody {
  @IsJsonBoolean({
    description:
      '`true`: the URLs of all links of the project use this domain and no other. `false`: the URLs use the subdomain. ' +
      'In both cases the project answers on the domain and on the subdomain.',
    example: true,
    optional: true,
  })
  active?: boolean;

  @IsJsonBoolean({
    description:
      '`true`: “Open in app” on pages leads through this domain and no other. It must be verified, and not the active one. ' +
      '`false`, or no such domain: it leads through the host whose first label is the subdomain and `-open`.',
    example: false,
    optional: true,
  })
  open_host?: boolean;

  /** Refuses both uses at once, whatever the domain is used for. */
  static problemsAcrossFields({ active, open_host: isOpenHost }: UpdateCustomDomainBody): Problem[] {
    return active && isOpenHost ? [openHostIsActive] : [];
  }

  static toUse(body: UpdateCustomDomainBody): DomainUse {
    return { active: body.active, openHost: body.open_host };
  }
}

export class ListCustomDomainsQuery extends PageQuery {}

@ApiSchema({ name: 'VerificationRecord' })
export class VerificationRecordDto {
  @ApiProperty({ enum: ['TXT'], example: 'TXT' })
  type: 'TXT';

  @ApiProperty({ description: 'Name of the TXT record.', example: '_link-domain-challenge.links.example.com' })
  name: string;

  @ApiProperty({ description: 'Value of the TXT record.', example: '5f0c7f1c0a4d4a2e9b6a2f1f7d3b8c9e01234567' })
  value: string;
}

@ApiSchema({ name: 'CustomDomain' })
export class CustomDomainDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-0000000000d1' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000001' })
  project_id: string;

  @ApiProperty({
    description: 'Host name in lower case. Internationalised names are A-labels.',
    example: 'links.example.com',
  })
  hostname: string;

  @ApiProperty({
    enum: statuses,
    enumName: 'CustomDomainStatus',
    description:
      '`pending`: not verified yet, or no longer verified. `verified`: the project answers on the domain. ' +
      '`active`: the URLs of links use the domain too.',
    example: 'verified',
  })
  status: CustomDomainStatus;

  @ApiProperty({
    description: 'Whether the URLs of links use the domain. True if `status` is `active`.',
    example: false,
  })
  active: boolean;

  @ApiProperty({
    description:
      'Whether “Open in app” on pages leads through the domain, because iOS opens no app for a link on the host of its page.',
    example: false,
  })
  open_host: boolean;

  @ApiProperty({
    type: VerificationRecordDto,
    description: 'TXT record that verifies the domain. It must remain in the DNS.',
  })
  verification_record: VerificationRecordDto;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: '2026-06-01T09:45:00.000Z' })
  verified_at: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Time of the last check of the TXT record that the DNS answered.',
    example: '2026-06-02T09:45:00.000Z',
  })
  checked_at: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description:
      'Time since which the TXT record of a verified domain has been missing. After a grace time, seven days unless the ' +
      'service is configured otherwise, the domain becomes `pending` again.',
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
      open_host: domain.openHost,
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
