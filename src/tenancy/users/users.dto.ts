import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  countAnswer,
  idAnswer,
  idsAnswer,
  nullableTextAnswer,
  textAnswer,
  timeAnswer,
} from '../../api-kit/kit/answer';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { roles } from '../../api-kit/policy/policy';

const userId = '0198c0de-7e57-7000-8000-0000000000aa';
const email = nullableTextAnswer('E-mail address. Null if the identity provider stated none.', 'anna@example.com');

const user = { id: idAnswer(userId), email, created_at: timeAnswer } as const;

@ApiSchema({ name: 'User' })
export class UserDto extends answer({
  ...user,
  subject: nullableTextAnswer('Name of the person at the identity provider. Null if nobody signed in.', 'auth0|anna'),
}) {}

@ApiSchema({ name: 'UserIdentity' })
class UserIdentity extends answer({
  issuer: textAnswer('Identity provider.', 'https://login.example.com'),
  subject: textAnswer('Name of the person at the provider.', 'anna'),
  created_at: timeAnswer,
}) {}

@ApiSchema({ name: 'UserMember' })
class UserMember extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-000000000009'),
  email,
  subject: nullableTextAnswer('Subject by which the member was invited.', null),
  role: { enum: [...roles, null], nullable: true, description: 'Role in the account.', example: 'editor' },
}) {}

@ApiSchema({ name: 'UserApiKey' })
class UserApiKey extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-000000000004'),
  name: textAnswer('Display name.', 'CI'),
}) {}

@ApiSchema({ name: 'UserData' })
export class UserDataDto extends answer({
  ...user,
  identities: { type: [UserIdentity], description: 'Names of the person at identity providers.' },
  member: { type: UserMember, nullable: true, description: 'The member that the person is. Null if none.' },
  api_keys: { type: [UserApiKey], description: 'API keys that act for the person.' },
  project_ids: idsAnswer('Projects that the person created.', ['0198c0de-7e57-7000-8000-000000000001']),
  journal_entries: countAnswer(
    'Number of entries of the audit log that name the person. The audit log has them by `actor_id`.',
    412,
  ),
  addresses: {
    type: 'array',
    items: { type: 'string' },
    description: 'Network addresses in these entries.',
    example: ['203.0.113.0'],
  },
}) {}

export class UserPage extends pageOf(UserDto) {}
export class UserDataResponse extends dataOf(UserDataDto) {}
