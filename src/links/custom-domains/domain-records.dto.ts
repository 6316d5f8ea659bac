import { ApiSchema } from '@nestjs/swagger';
import { answer, nullableTextAnswer, textAnswer } from '../../api-kit/kit/answer';
import { IsQueryBoolean } from '../../api-kit/kit/field.decorators';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { shownValues } from './custom-domain.errors';
import type { CheckedRecords } from './custom-domains.service';
import { describeAnswer, domainAnswers } from './domain-answer';
import { type RecordCheck, recordPurposes, recordStates } from './record-check';

export class DomainRecordsQuery {
  @IsQueryBoolean({
    default: false,
    description:
      'Whether the service also visits the domain, if it is verified. A visit takes up to eight seconds, and counts as a probe: ' +
      'by default an account may run ten per minute, one at a time. Further probes get 429 `RATE_LIMITED`.',
  })
  probe: boolean;
}

class DomainRecord extends answer({
  purpose: {
    enum: recordPurposes,
    enumName: 'DomainRecordPurpose',
    description: '`ownership`: proves the domain. `address`: leads visitors to the service.',
    example: 'address',
  },
  type: { enum: ['TXT', 'CNAME'], example: 'CNAME' },
  name: textAnswer('Name of the record.', 'links.example.com'),
  value: nullableTextAnswer(
    'Value of the record. Null if the operator has not set `LINK_TARGET_HOST`, the target of the CNAME record.',
    'edge.example.net',
  ),
  addresses: {
    type: [String],
    description:
      'Addresses of that target, for A and AAAA records instead of the CNAME record at the top of a zone. Empty for the TXT record.',
    example: ['192.0.2.1'],
  },
  found: {
    type: [String],
    description:
      'Values in the DNS, at most ten of 100 characters: for `address` the target of a CNAME record, or the addresses without one. ' +
      'Empty for a host with a private address, because it may be internal.',
    example: ['edge.example.net'],
  },
  state: {
    enum: recordStates,
    enumName: 'DomainRecordState',
    description:
      '`missing`: the DNS has no such record. `different`: it leads elsewhere, or has another value. `unknown`: the DNS did not ' +
      'answer, or there is no target to compare with. A domain that answers with the project has the address `ok`.',
    example: 'ok',
  },
}) {
  static of(this: void, record: RecordCheck): DomainRecord {
    return { ...record, addresses: shownValues(record.addresses), found: shownValues(record.found) };
  }
}

export const answerField = {
  enum: domainAnswers,
  enumName: 'DomainAnswer',
  description:
    '`ok`: the project answers. `other_answer`: another server or project does. `not_probed`: the limit of probes was reached. The ' +
    'others name what failed.',
} as const;

class DomainVisit extends answer({
  answer: { ...answerField, example: 'ok' },
  message: textAnswer('The same for people, with the remedy.', 'links.example.com answers with this project'),
}) {}

@ApiSchema({ name: 'DomainRecords' })
export class DomainRecordsDto extends answer({
  records: {
    type: [DomainRecord],
    description: 'The record that proves the domain, and the one that leads to the service.',
  },
  visit: {
    type: DomainVisit,
    nullable: true,
    description: 'The answer of the domain to a visitor. Null without `probe`, and for a domain that is not verified.',
  },
}) {
  static of({ domain, records, answer }: CheckedRecords): DomainRecordsDto {
    return {
      records: records.map(DomainRecord.of),
      visit: answer && { answer, message: describeAnswer(domain.hostname, answer) },
    };
  }
}

export class DomainRecordsResponse extends dataOf(DomainRecordsDto) {}
