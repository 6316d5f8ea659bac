import { ApiSchema } from '@nestjs/swagger';
import { answer, idAnswer, nullableIdAnswer, timeAnswers } from '../../api-kit/kit/answer';
import { answersOf, bodyReader, CreatesFields, UpdatesFields } from '../../api-kit/kit/field-table.decorators';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { type CreateBody, shapeOf, type UpdateBody } from '../../shared/field-table';
import { InvalidInput } from '../../shared/problem';
import type { MemberValues, RoleChanges } from './member';
import { type MemberFields, memberFields, type RoleFields, roleFields } from './member-fields';

const read = bodyReader<MemberValues>(memberFields);

@CreatesFields(memberFields)
export class CreateMemberBody extends shapeOf<CreateBody<MemberFields>>() {
  /** @throws InvalidInput if the body names nobody */
  static toValues(body: CreateMemberBody): MemberValues {
    if (body.email === undefined && body.subject === undefined)
      throw InvalidInput.because([{ code: 'required', path: ['email'], message: 'email or subject is required' }]);
    return read(body);
  }
}

@UpdatesFields(roleFields)
export class UpdateMemberBody extends shapeOf<UpdateBody<RoleFields>>() {}

export const toRoleChanges: (body: UpdateMemberBody) => RoleChanges = bodyReader(roleFields);

@ApiSchema({ name: 'Member' })
export class MemberDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-000000000009'),
  ...answersOf(memberFields),
  user_id: nullableIdAnswer(
    'User that the member became at the first sign-in. Null before.',
    '0198c0de-7e57-7000-8000-0000000000aa',
  ),
  ...timeAnswers,
}) {}

export class MemberResponse extends dataOf(MemberDto) {}
export class MemberPage extends pageOf(MemberDto) {}
