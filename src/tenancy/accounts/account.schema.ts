import { entitySchema } from '../../platform/postgres/entity-schemas';
import { fieldColumns } from '../../platform/tables/field-columns';
import type { Account, User } from './account';
import { accountFields } from './account-fields';

export const AccountSchema = entitySchema<Account>({
  name: 'Account',
  tableName: 'accounts',
  columns: {
    id: { type: 'uuid', primary: true },
    name: { type: 'text' },
    plan: { type: 'text' },
    ...fieldColumns(accountFields),
    disabled: { type: 'boolean' },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
  },
});

export const UserSchema = entitySchema<User>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: { type: 'uuid', primary: true },
    accountId: { type: 'uuid', name: 'account_id' },
    email: { type: 'text', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
  },
});
