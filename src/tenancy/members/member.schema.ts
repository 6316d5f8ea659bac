import { entitySchema } from '../../platform/postgres/entity-schemas';
import { fieldColumns, timeColumns } from '../../platform/tables/field-columns';
import type { Member } from './member';
import { memberFields } from './member-fields';

export const MemberSchema = entitySchema<Member>({
  name: 'Member',
  tableName: 'members',
  columns: {
    id: { type: 'uuid', primary: true },
    accountId: { type: 'uuid', name: 'account_id' },
    ...fieldColumns(memberFields),
    userId: { type: 'uuid', name: 'user_id', nullable: true },
    ...timeColumns,
  },
});
