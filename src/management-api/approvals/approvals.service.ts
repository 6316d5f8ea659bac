import { Injectable } from '@nestjs/common';
import { requirePolicy } from '../../api-kit/policy/policies';
import { assertPolicy } from '../../api-kit/policy/rights';
import type { Acknowledgement } from '../../link-paths/release-guard/release-acknowledgement';
import type { Page } from '../../shared/page';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { Caller } from '../../tenancy/accounts/caller';
import type { ListedApproval } from '../../tenancy/approvals/approval';
import { ApprovalDecided, OwnApproval } from '../../tenancy/approvals/approval.errors';
import { PgApprovalRepository } from '../../tenancy/approvals/pg-approval.repository';
import { ApprovedOperations } from './approved-operations';

/** Implements the decisions of a second person. A change runs in the transaction of its approval, so it runs once. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly approvals: PgApprovalRepository,
    private readonly operations: ApprovedOperations,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(accountId: string, request: { page: number; limit: number }): Promise<Page<ListedApproval>> {
    return this.approvals.list(accountId, request);
  }

  /** @throws NotFound */
  async get(accountId: string, id: string): Promise<ListedApproval> {
    return requireFound(await this.approvals.find(accountId, id), 'Approval');
  }

  /**
   * Runs the change. The journal names the approver, and the person who requested it.
   * @param acknowledgement of the approver, who may see that the change breaks released versions
   * @throws NotFound, OwnApproval, RoleRequired, ApprovalDecided, and what the operation throws
   */
  async approve(caller: Caller, id: string, acknowledgement: Acknowledgement): Promise<ListedApproval> {
    const { accountId, userId } = caller;
    const approval = await this.get(accountId, id);
    if (approval.requestedBy === userId) throw new OwnApproval();
    assertPolicy(requirePolicy(approval.operation), caller.rights, approval.projectId);
    await this.approvals.inNameOfBoth(approval.requestedBy, () =>
      this.unitOfWork.run(async () => {
        await this.#decide(caller, approval, 'approved');
        await this.operations.run(caller, approval, acknowledgement);
      }),
    );
    return this.get(accountId, id);
  }

  /**
   * Ends the approval without a change. The person who requested the change may do that too.
   * @throws NotFound, ApprovalDecided
   */
  async refuse(caller: Caller, id: string): Promise<ListedApproval> {
    const approval = await this.get(caller.accountId, id);
    await this.unitOfWork.run(() => this.#decide(caller, approval, 'refused'));
    return this.get(caller.accountId, id);
  }

  async #decide(
    { accountId, userId }: Caller,
    { id, state }: ListedApproval,
    to: 'approved' | 'refused',
  ): Promise<void> {
    if (await this.approvals.decide(accountId, id, to, userId)) return;
    throw new ApprovalDecided(state === 'pending' ? 'decided' : state);
  }
}
