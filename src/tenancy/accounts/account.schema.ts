import { EntitySchema } from 'typeorm';
import type { Account, User } from './account';

export const AccountSchema = new EntitySchema<Account>({
  name: 'Account',
  tableName: 'accounts',
  columns: {
    id: { type: 'uuid', primary: true },
    name: { type: 'text' },
    plan: { type: 'text' },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
  },
});

export const UserSchema = new EntitySchema<User>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: { type: 'uuid', primary: true },
    accountId: { type: 'uuid', name: 'account_id' },
    email: { type: 'text', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
  },
});
