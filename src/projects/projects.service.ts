import { Injectable } from '@nestjs/common';
import { QuotaGate } from '../accounts/quotas';
import type { Plan } from '../accounts/plan';
import type { Caller } from '../api-keys/api-key';
import { NotFound } from '../shared/domain-error';
import { newId } from '../shared/id';
import type { Page, PageRequest } from '../shared/page';
import { UnitOfWork } from '../shared/unit-of-work';
import { HeldSubdomains } from './held-subdomains';
import type { Project, ProjectChanges, ProjectSortKey, Subdomain } from './project';
import { SubdomainTaken } from './project.errors';
import { ProjectPurge } from './project-purge';
import { type ListedProject, ProjectRepository } from './project.repository';
import { ReservedSubdomains } from './reserved-subdomains';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly quotas: QuotaGate,
    private readonly reserved: ReservedSubdomains,
    private readonly held: HeldSubdomains,
    private readonly unitOfWork: UnitOfWork,
    private readonly purge: ProjectPurge,
  ) {}

  list(accountId: string, request: PageRequest<ProjectSortKey>): Promise<Page<ListedProject>> {
    return this.projects.list(accountId, request);
  }

  /** @throws QuotaReached, SubdomainTaken */
  create(owner: Pick<Caller, 'accountId' | 'userId' | 'plan'>, name: string, subdomain: Subdomain): Promise<Project> {
    const { accountId, userId, plan } = owner;
    return this.unitOfWork.run(async () => {
      await this.quotas.admitOneMore(accountId, plan, 'projects');
      this.refuseReserved(subdomain);
      await this.held.releaseIfOver(subdomain);
      return this.projects.insert({ id: newId(), accountId, userId, name, subdomain });
    });
  }

  /**
   * It goes on answering on the subdomain that it leaves.
   * @throws LimitReached, SubdomainTaken, NotFound
   */
  async update(project: Project, plan: Plan, changes: ProjectChanges): Promise<Project> {
    const { subdomain } = changes;
    if (subdomain === undefined || subdomain === project.subdomain) return this.write(project, changes);
    return this.unitOfWork.run(async () => {
      await this.held.admitRename(project, plan, subdomain);
      this.refuseReserved(subdomain);
      await this.held.releaseIfOver(subdomain);
      return this.write(project, changes);
    });
  }

  private async write(project: Project, changes: ProjectChanges): Promise<Project> {
    const updated = await this.projects.update(project.accountId, project.id, changes);
    if (!updated) throw new NotFound('Project');
    return updated;
  }

  /**
   * With its links, and everything else that it holds. Its subdomains are held for the account.
   * @throws NotFound
   */
  async delete(project: Project): Promise<void> {
    await this.unitOfWork.run(async () => {
      if (!(await this.projects.delete(project.accountId, project.id))) throw new NotFound('Project');
      await this.held.boundHolds(project.accountId);
    });
    await this.purge.promptly(project.id);
  }

  private refuseReserved(subdomain: Subdomain): void {
    if (this.reserved.has(subdomain)) throw new SubdomainTaken(subdomain);
  }
}
