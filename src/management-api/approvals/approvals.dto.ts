import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  idAnswer,
  idAnswerOf,
  momentAnswer,
  nullableIdAnswer,
  nullableMomentAnswer,
  nullableTextAnswer,
  timeAnswer,
  valuesAnswer,
} from '../../api-kit/kit/answer';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { approvableOperations, approvalStates, type ListedApproval } from '../../tenancy/approvals/approval';

@ApiSchema({ name: 'Approval' })
export class ApprovalDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-0000000000a9'),
  operation: { enum: approvableOperations, description: 'Operation that waits.', example: 'deleteProject' },
  state: {
    enum: approvalStates,
    description: '`pending`: waits for another person. `approved`: the change was made.',
    example: 'pending',
  },
  project_id: nullableIdAnswer(
    'Project of the resource. Null for resources of the account.',
    '0198c0de-7e57-7000-8000-000000000001',
  ),
  resource_id: nullableIdAnswer(
    'The project, domain, member or user. Null for a new member and for the account.',
    '0198c0de-7e57-7000-8000-000000000001',
  ),
  resource_name: nullableTextAnswer('Name of the resource, as it is now. Null if it is unknown.', 'Shop'),
  body: valuesAnswer('Fields of the request. Null without a body, and once the approval is decided.', null),
  requested_by: idAnswerOf(
    'User who requested the change, or for whom the key acts.',
    '0198c0de-7e57-7000-8000-0000000000aa',
  ),
  requested_by_name: nullableTextAnswer('E-mail address or subject of that person.', 'anna@example.com'),
  api_key_id: nullableIdAnswer(
    'API key that requested the change. Null for a signed-in person.',
    '0198c0de-7e57-7000-8000-000000000004',
  ),
  decided_by: nullableIdAnswer('User who approved or refused it. Null before.', '0198c0de-7e57-7000-8000-0000000000ab'),
  decided_by_name: nullableTextAnswer('E-mail address or subject of that person.', 'bob@example.com'),
  created_at: timeAnswer,
  expires_at: momentAnswer('Time from which the approval is expired.', '2026-06-08T12:30:45.678Z'),
  decided_at: nullableMomentAnswer('Time of the decision. Null before.', null),
}) {
  static of(this: void, approval: ListedApproval): ApprovalDto {
    return ApprovalDto.render(approval, { body: approval.body && inSnakeCase(approval.body) });
  }
}

/** Returns the values with the names of fields. */
const inSnakeCase = (values: object): object =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

export class ApprovalResponse extends dataOf(ApprovalDto) {}
export class ApprovalPage extends pageOf(ApprovalDto) {}
