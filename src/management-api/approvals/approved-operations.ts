import { Injectable } from '@nestjs/common';
import type { Acknowledgement } from '../../link-paths/release-guard/release-acknowledgement';
import { CustomDomainsService } from '../../links/custom-domains/custom-domains.service';
import { ProjectRepository } from '../../links/projects/project.repository';
import type { Project } from '../../links/projects/project';
import { ProjectsService } from '../../links/projects/projects.service';
import { requireFound } from '../../shared/require-found';
import type { AccountChanges } from '../../tenancy/accounts/account';
import { AccountsService } from '../../tenancy/accounts/accounts.service';
import type { Caller } from '../../tenancy/accounts/caller';
import type { ApprovableOperation, Approval } from '../../tenancy/approvals/approval';
import type { MemberValues, RoleChanges } from '../../tenancy/members/member';
import { MembersService } from '../../tenancy/members/members.service';
import { UsersService } from '../../tenancy/users/users.service';

type Run = (approver: Caller, change: Approval, acknowledgement: Acknowledgement) => Promise<unknown>;

/** Runs approved changes. A further operation that needs an approval gets a row here, and calls `ApprovalGate.require`. */
@Injectable()
export class ApprovedOperations {
  readonly #runs: Record<ApprovableOperation, Run> = {
    deleteProject: async (_, change, acknowledgement) =>
      this.projects.delete(await this.#projectOf(change), undefined, acknowledgement),
    deleteCustomDomain: async (_, change, acknowledgement) =>
      this.domains.remove(await this.#projectOf(change), change.resourceId!, undefined, acknowledgement),
    createMember: (approver, { body }) => this.members.create(approver, body as MemberValues),
    updateMember: (approver, { resourceId, body }) => this.members.update(approver, resourceId!, body as RoleChanges),
    deleteMember: (approver, { resourceId }) => this.members.delete(approver, resourceId!),
    deleteUser: (approver, { resourceId }) => this.users.erase(approver, resourceId!),
    updateAccountProtection: ({ accountId }, { body }) => this.accounts.update(accountId, body as AccountChanges),
  };

  constructor(
    private readonly projects: ProjectsService,
    private readonly projectRows: ProjectRepository,
    private readonly domains: CustomDomainsService,
    private readonly members: MembersService,
    private readonly users: UsersService,
    private readonly accounts: AccountsService,
  ) {}

  /** @throws what the operation throws */
  async run(approver: Caller, change: Approval, acknowledgement: Acknowledgement): Promise<void> {
    await this.#runs[change.operation](approver, change, acknowledgement);
  }

  async #projectOf({ projectId, accountId }: Approval): Promise<Project> {
    const project = await this.projectRows.find(projectId!);
    return requireFound(project?.accountId === accountId ? project : null, 'Project');
  }
}
