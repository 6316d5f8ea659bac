import { Injectable } from '@nestjs/common';
import { LimitReached } from '../accounts/account.errors';
import type { Caller } from '../accounts/caller';
import { type ApprovableOperation, maxPendingApprovals, type RequestedChange } from './approval';
import { ApprovalRequired, SecondOwnerRequired } from './approval.errors';
import { PgApprovalRepository } from './pg-approval.repository';

type Change = Partial<RequestedChange> & { operation: ApprovableOperation };

/** Lets changes wait for a second person if the account requires it. */
@Injectable()
export class ApprovalGate {
  constructor(private readonly approvals: PgApprovalRepository) {}

  /** @throws ApprovalRequired if the account requires approvals */
  async require(accountId: string, change: Change): Promise<void> {
    if (await this.approvals.isRequired(accountId))
      throw new ApprovalRequired({ projectId: null, resourceId: null, body: null, ...change });
  }

  /**
   * Requires that two people can approve changes, in an account that requires approvals.
   * @throws SecondOwnerRequired
   */
  async requireTwoOwners(accountId: string): Promise<void> {
    if ((await this.approvals.isRequired(accountId)) && (await this.approvals.countOwners(accountId)) < 2)
      throw new SecondOwnerRequired();
  }

  /**
   * Stores a change that waits, and returns the error with the id of its approval. A repetition has the id of the first request.
   * @throws LimitReached
   */
  async store({ accountId, userId, apiKeyId, plan }: Caller, { change }: ApprovalRequired): Promise<ApprovalRequired> {
    const same = await this.approvals.findSame(accountId, userId, change);
    if (same !== null) return new ApprovalRequired(change, same);
    const used = await this.approvals.countPending(accountId);
    if (used >= maxPendingApprovals)
      throw new LimitReached('pending approvals', { limit: maxPendingApprovals, used, plan }, 'decide some of them');
    return new ApprovalRequired(change, await this.approvals.insert(accountId, { userId, apiKeyId }, change));
  }
}
