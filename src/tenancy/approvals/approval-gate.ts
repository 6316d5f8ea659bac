import { type ApprovableOperation, maxPendingApprovals, type RequestedChange } from './approval';
import { ApprovalRequired, SecondOwnerRequired, TooManyApprovals } from './approval.errors';
import { type PgApprovalRepository } from './pg-approval.repository';

/** Who requests a change. */
interface Requester {
  accountId: string;
  userId: string;
  apiKeyId: string | null;
}

type Change = Partial<RequestedChange> & { operation: ApprovableOperation };

/** Lets changes wait for a second person if the account requires it. */
export class ApprovalGate {
  constructor(private readonly approvals: PgApprovalRepository) {}

  /**
   * @param check throws if the change is refused without an approval, such as NotFound for the resource of another account
   * @throws ApprovalRequired if the account requires approvals, and what the check throws
   */
  async require(accountId: string, change: Change, check?: () => Promise<unknown>): Promise<void> {
    if (!(await this.approvals.isRequired(accountId))) return;
    await check?.();
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
   * @throws TooManyApprovals
   */
  async store({ accountId, userId, apiKeyId }: Requester, { change }: ApprovalRequired): Promise<ApprovalRequired> {
    const same = await this.approvals.findSame(accountId, userId, change);
    if (same !== null) return new ApprovalRequired(change, same);
    const used = await this.approvals.countPending(accountId);
    if (used >= maxPendingApprovals) throw new TooManyApprovals(maxPendingApprovals, used);
    return new ApprovalRequired(change, await this.approvals.insert(accountId, { userId, apiKeyId }, change));
  }
}
