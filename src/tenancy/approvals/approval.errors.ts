import { DomainError, domainError } from '../../shared/domain-error';
import { newId } from '../../shared/id';
import type { RequestedChange } from './approval';

/** Reports that the change waits for another person. The error filter stores it, outside of the transaction that the error ends. */
export class ApprovalRequired extends DomainError {
  readonly code = 'ACCESS_DENIED';
  override readonly details: { reason: 'approval'; approval_id: string };

  constructor(
    readonly change: RequestedChange,
    approvalId = newId(),
  ) {
    super(`The change waits for another person, who can approve it within 7 days; approval_id names it`);
    this.details = { reason: 'approval', approval_id: approvalId };
  }
}

export class OwnApproval extends domainError(
  'ACCESS_DENIED',
  () => 'Nobody approves a change that they requested; ask another person',
  () => ({ reason: 'own_approval' }),
) {}

export class ApprovalDecided extends domainError(
  'APPROVAL_STATE',
  (state: string) => `The approval is ${state}; request the change again`,
) {}

/** Refuses to require approvals in an account that has not two people who can give them. */
export class SecondOwnerRequired extends domainError(
  'LAST_OWNER',
  () => 'Approvals need two owners who have signed in; invite a second owner, or turn approval_required off first',
) {}

/** Refuses a change that would wait beside too many others. */
export class TooManyApprovals extends domainError(
  'ACCESS_DENIED',
  (limit: number, used: number) => `${used} of ${limit} changes wait for approval; decide some of them`,
  (limit, used) => ({ limit, used }),
) {}
