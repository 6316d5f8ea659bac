import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  flagAnswer,
  idAnswer,
  nullableMomentAnswer,
  projectIdAnswer,
  textAnswer,
  timeAnswers,
} from '../../api-kit/kit/answer';
import { IsJsonBoolean } from '../../api-kit/kit/field.decorators';
import { PageQuery } from '../../api-kit/kit/list-query';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import type { Problem } from '../../shared/problem';
import { type CustomDomain, type DomainUse, openHostIsActive, statuses } from './custom-domain';
import { describeAnswer, type DomainAnswer } from './domain-answer';
import { answerField } from './domain-records.dto';
import { hostname, type Hostname } from './hostname';
import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';

export const IsHostname = ruleDecorator(hostname);

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
  @IsJsonBoolean(
    optionally(
      '`true`: the URLs of all links of the project use this domain and no other. `false`: the URLs use the subdomain. ' +
        'In both cases the project answers on the domain and on the subdomain.',
      true,
    ),
  )
  active?: boolean;

  @IsJsonBoolean(
    optionally(
      '`true`: “Open in app” on pages leads through this domain and no other. It must be verified, and not the active one. ' +
        '`false`, or no such domain: it leads through the host whose first label is the subdomain and `-open`.',
      false,
    ),
  )
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
export class VerificationRecordDto extends answer({
  type: { enum: ['TXT'], example: 'TXT' },
  name: textAnswer('Name of the TXT record.', '_link-domain-challenge.links.example.com'),
  value: textAnswer('Value of the TXT record.', '5f0c7f1c0a4d4a2e9b6a2f1f7d3b8c9e01234567'),
}) {}

@ApiSchema({ name: 'CustomDomain' })
export class CustomDomainDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-0000000000d1'),
  project_id: projectIdAnswer,
  hostname: textAnswer('Host name in lower case. Internationalised names are A-labels.', 'links.example.com'),
  status: {
    enum: statuses,
    enumName: 'CustomDomainStatus',
    description:
      '`pending`: not verified yet, or no longer verified. `verified`: the project answers on the domain. ' +
      '`active`: the URLs of links use the domain too.',
    example: 'verified',
  },
  active: flagAnswer('Whether the URLs of links use the domain. True if `status` is `active`.', false),
  open_host: flagAnswer(
    'Whether “Open in app” on pages leads through the domain, because iOS opens no app for a link on the host of its page.',
    false,
  ),
  verification_record: {
    type: VerificationRecordDto,
    description: 'TXT record that verifies the domain. It must remain in the DNS.',
  },
  verified_at: { format: 'date-time', nullable: true, example: '2026-06-01T09:45:00.000Z' },
  checked_at: nullableMomentAnswer(
    'Time of the last check of the TXT record that the DNS answered.',
    '2026-06-02T09:45:00.000Z',
  ),
  record_missing_since: nullableMomentAnswer(
    'Time since which the TXT record of a verified domain has been missing. After a grace time, seven days unless the ' +
      'service is configured otherwise, the domain becomes `pending` again.',
    null,
  ),
  ...timeAnswers,
}) {
  static of(this: void, domain: CustomDomain): CustomDomainDto {
    return CustomDomainDto.render(domain, { verification_record: { type: 'TXT', ...domain.record } });
  }
}

@ApiSchema({ name: 'DomainWarning' })
export class DomainWarningDto extends answer({
  code: { enum: ['DOMAIN_NOT_REACHED'], example: 'DOMAIN_NOT_REACHED' },
  reason: { ...answerField, example: 'not_resolved' },
  message: {
    example:
      'The links use a domain that visitors may not reach: links.example.com accepts no connection; check its DNS records',
  },
}) {
  static of({ hostname }: CustomDomain, reason: DomainAnswer): DomainWarningDto {
    return {
      code: 'DOMAIN_NOT_REACHED',
      reason,
      message: `The links use a domain that visitors may not reach: ${describeAnswer(hostname, reason)}`,
    };
  }
}

export class ChangedCustomDomainResponse extends answer(
  {
    warnings: {
      type: [DomainWarningDto],
      required: false,
      description: 'Present if the domain was activated, and the project does not answer there.',
    },
  },
  dataOf(CustomDomainDto),
) {}

export class CustomDomainResponse extends dataOf(CustomDomainDto) {}
export class CustomDomainPage extends pageOf(CustomDomainDto) {}
