import type { Properties } from '../../shared/field-table';
import type { MemberFields, RoleFields } from './member-fields';

/** A person with roles in an account. The first sign-in with the subject or the address binds it to a user. */
export interface Member extends Properties<MemberFields> {
  readonly id: string;
  readonly accountId: string;
  /** Null before the first sign-in. */
  readonly userId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type MemberValues = Partial<Properties<MemberFields>>;
export type RoleChanges = Partial<Properties<RoleFields>>;
