import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  countAnswer,
  flagAnswer,
  idAnswer,
  idAnswerOf,
  nullableIdsAnswer,
  timeAnswer,
} from '../../api-kit/kit/answer';
import { answersOf, bodyReader, UpdatesFields } from '../../api-kit/kit/field-table.decorators';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { shapeOf, type UpdateBody } from '../../shared/field-table';
import { projectRoles, roles, scopes } from '../../api-kit/policy/policy';
import type { AccountChanges } from './account';
import { type AccountFields, accountFields } from './account-fields';
import type { AccountWithUsage } from './accounts.service';
import type { Caller } from './caller';
import { features, featuresOf, plans } from './plan';

export class QuotaUse extends answer({
  limit: {
    type: 'integer',
    nullable: true,
    minimum: 0,
    description: 'Maximum number. Null if the number is unlimited.',
    example: 10,
  },
  used: countAnswer('Current number. It can exceed the limit after a downgrade.', 3),
}) {}

export class AccountQuotas extends answer({
  projects: { type: QuotaUse },
  dynamic_links: { type: QuotaUse, description: 'Dynamic links of all projects.' },
  import_bytes: {
    type: QuotaUse,
    description: 'Bytes that imports store: their files, and 300 bytes for each row beside its texts.',
  },
  picture_bytes: { type: QuotaUse, description: 'Bytes of uploaded pictures of all projects.' },
  api_keys: { type: QuotaUse, description: 'API keys that have not been revoked.' },
}) {}

@ApiSchema({ name: 'Access' })
export class AccessDto extends answer({
  role: {
    enum: [...roles, null],
    nullable: true,
    description: 'Role in the account. API keys have the role owner. Null: only roles in single projects.',
    example: 'editor',
  },
  project_roles: {
    type: 'object',
    additionalProperties: { type: 'string', enum: [...projectRoles] },
    description: 'Roles in single projects, by their ids. The higher of both roles counts.',
    example: { '0198c0de-7e57-7000-8000-000000000001': 'admin' },
  },
  scopes: {
    enum: scopes,
    isArray: true,
    nullable: true,
    description: 'Scopes of the API key. Null: all, as for a signed-in person.',
    example: null,
  },
  project_ids: nullableIdsAnswer('Projects that the caller can see. Null: all of the account.', null),
  frozen: flagAnswer('Whether the account refuses all changes.', false),
}) {
  static of({ rights, stopped }: Caller): AccessDto {
    const { role, projectRoles, scopes, projectIds } = rights;
    return AccessDto.render(
      { role, frozen: stopped !== null },
      {
        project_roles: Object.fromEntries(projectRoles),
        scopes: scopes && [...scopes],
        project_ids: projectIds && [...projectIds],
      },
    );
  }
}

@ApiSchema({ name: 'Account' })
export class AccountDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-000000000005'),
  name: { example: 'Example Ltd' },
  plan: { enum: plans, example: 'pro' },
  features: { enum: features, isArray: true, description: 'Features that the plan includes.', example: features },
  quotas: { type: AccountQuotas },
  user_id: idAnswerOf(
    'User that the request acts for. A resource that it creates has this id as `user_id` or `created_by`.',
    '0198c0de-7e57-7000-8000-0000000000aa',
  ),
  access: {
    type: AccessDto,
    description: 'Rights of the caller. `x-required-role` and `x-required-scope` say what each operation requires.',
  },
  created_at: timeAnswer,
}) {
  static of({ account, usage }: AccountWithUsage, caller: Caller): AccountDto {
    return AccountDto.render(account, {
      features: featuresOf(account.plan),
      quotas: AccountQuotas.render(usage),
      user_id: caller.userId,
      access: AccessDto.of(caller),
    });
  }
}

@ApiSchema({ name: 'AccountProtection' })
export class ProtectionDto extends answer(answersOf(accountFields)) {}

export class ProtectionResponse extends dataOf(ProtectionDto) {}

@UpdatesFields(accountFields)
export class UpdateProtectionBody extends shapeOf<UpdateBody<AccountFields>>() {}

export const toAccountChanges: (body: UpdateProtectionBody) => AccountChanges = bodyReader(accountFields);

export class AccountResponse extends dataOf(AccountDto) {}
