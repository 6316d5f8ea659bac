import { Injectable } from '@nestjs/common';
import { QuotaGate } from '../../tenancy/accounts/quotas';
import type { Caller } from '../../tenancy/accounts/caller';
import { NotFound } from '../../shared/domain-error';
import { requireFound } from '../../shared/require-found';
import { updateIfUnchanged, type Precondition } from '../../shared/precondition';
import type { Page, PageRequest } from '../../shared/page';
import { UnitOfWork } from '../../shared/unit-of-work';
import { requireAllowedHosts, requirePersonForLists } from './allowed-destinations';
import { type Acknowledgement, noAcknowledgement } from '../../link-paths/release-guard/release-acknowledgement';
import { ReleaseGuard } from '../../link-paths/release-guard/release-guard';
import { SubdomainReservations } from './subdomain-reservations';
import { type NewProjectFields, Project, type ProjectChanges, type ProjectSortKey } from './project';
import type { Subdomain } from './subdomain';
import { SubdomainTaken } from './project.errors';
import { ProjectCache } from './project-cache';
import { ProjectPurge } from './project-purge';
import { type ListedProject, ProjectRepository } from './project.repository';
import { ReservedSubdomains } from './reserved-subdomains';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly cache: ProjectCache,
    private readonly quotas: QuotaGate,
    private readonly reserved: ReservedSubdomains,
    private readonly reservations: SubdomainReservations,
    private readonly unitOfWork: UnitOfWork,
    private readonly purge: ProjectPurge,
    private readonly releaseGuard: ReleaseGuard,
  ) {}

  list({ accountId, rights }: Caller, request: PageRequest<ProjectSortKey>): Promise<Page<ListedProject>> {
    return this.projects.list(accountId, rights.projectIds, request);
  }

  /** @throws OutsideLimits, DestinationRefused, QuotaReached, SubdomainTaken */
  async create(owner: Caller, fields: NewProjectFields): Promise<Project> {
    const { accountId, userId, plan } = owner;
    const { subdomain, destinationHosts = [] } = fields;
    requirePersonForLists(owner, null, fields);
    requireAllowedHosts({ destinationHosts, hostsOfKey: owner.rights.destinationHosts }, destinationsOf(fields));
    return this.unitOfWork.run(async () => {
      await this.quotas.reserve(accountId, plan, 'projects');
      this.#refuseReserved(subdomain);
      await this.reservations.releaseIfExpired(subdomain);
      return this.projects.insert(Project.create({ accountId, userId, ...fields }));
    });
  }

  /**
   * Changes the project. After a rename, it also answers on its former subdomain.
   * @throws OutsideLimits, DestinationRefused, TooManyFormerSubdomains, SubdomainTaken, NotFound, BreaksReleasedApp, and what
   * the precondition throws
   */
  async update(
    project: Project,
    caller: Caller,
    changes: ProjectChanges,
    precondition?: Precondition<Project>,
    acknowledgement: Acknowledgement = noAcknowledgement,
  ): Promise<Project> {
    requirePersonForLists(caller, project, changes);
    const { destinationHosts = project.destinationHosts } = changes;
    requireAllowedHosts({ destinationHosts, hostsOfKey: project.hostsOfKey }, destinationsOf(changes));
    const write = async () =>
      requireFound(await this.projects.update(project.accountId, project.id, changes), 'Project');
    return this.cache.changing(project.id, () => {
      if (changes.subdomain === undefined) return this.#change(project, precondition, write);
      return this.releaseGuard.run(project.id, acknowledgement, () =>
        this.#change(project, precondition, async () => {
          // Concurrent renames and releases change which names the project has.
          const subdomain = (await this.#lock(project)).newSubdomainIn(changes);
          if (subdomain !== null) {
            await this.reservations.assertRenameAllowed(project, caller.plan, subdomain);
            this.#refuseReserved(subdomain);
            await this.reservations.releaseIfExpired(subdomain);
          }
          return write();
        }),
      );
    });
  }

  /**
   * Deletes the project with all that it contains. Its subdomains stay reserved for the account.
   * @throws NotFound, BreaksReleasedApp, and what the precondition throws
   */
  async delete(
    project: Project,
    precondition?: Precondition<Project>,
    acknowledgement: Acknowledgement = noAcknowledgement,
  ): Promise<void> {
    await this.cache.changing(project.id, () =>
      this.releaseGuard.run(project.id, acknowledgement, () =>
        this.#change(project, precondition, async () => {
          if (!(await this.projects.delete(project.accountId, project.id))) throw new NotFound('Project');
          await this.reservations.enforceAccountLimit(project.accountId);
        }),
      ),
    );
    await this.purge.purgeSoon(project.id);
  }

  #change<R>(project: Project, precondition: Precondition<Project> | undefined, change: () => Promise<R>): Promise<R> {
    return updateIfUnchanged(this.unitOfWork, precondition, () => this.#lock(project), change);
  }

  /** Returns the project as it is now, and locks it until the unit of work ends. */
  async #lock(project: Project): Promise<Project> {
    return requireFound(await this.projects.findForUpdate(project.accountId, project.id), 'Project');
  }

  #refuseReserved(subdomain: Subdomain): void {
    if (this.reserved.has(subdomain)) throw new SubdomainTaken(subdomain, 'reserved');
  }
}

const destinationsOf = ({
  rootUrl: root_url,
  notFoundUrl: not_found_url,
  expiredUrl: expired_url,
}: ProjectChanges) => ({
  root_url,
  not_found_url,
  expired_url,
});
