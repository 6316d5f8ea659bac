import { domainError } from '../../shared/domain-error';

export class MemberExists extends domainError(
  'MEMBER_EXISTS',
  () => 'The account already has a member with this email or subject; change the roles of that member',
) {}

/** Refuses a change after which the account would have members and no owner. */
export class LastOwner extends domainError(
  'LAST_OWNER',
  () => 'An account with members needs an owner; give another member the role owner first',
) {}
