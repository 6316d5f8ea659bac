import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { BatchLoader } from '../../platform/tables/batch-loader';
import { EntityRows } from '../../platform/tables/entity-rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Page, PageRequest } from '../../shared/page';
import type { NewProject, Project, ProjectChanges, ProjectSortKey } from './project';
import type { Subdomain } from './subdomain';
import { SubdomainTaken } from './project.errors';
import { type ListedProject, ProjectRepository } from './project.repository';
import { type ProjectRow, ProjectSchema } from './project.schema';

@Injectable()
export class TypeormProjectRepository implements ProjectRepository {
  readonly #projects: EntityRows<ProjectRow>;
  readonly #batches: BatchLoader<Project>;

  constructor(private readonly context: TransactionContext) {
    this.#projects = new EntityRows(context, ProjectSchema);
    this.#batches = new BatchLoader(async (ids) => {
      const query = this.#projects.repository.createQueryBuilder('t');
      const projects = await query.where('t.id = ANY(:ids)', { ids }).getMany();
      return new Map(projects.map((project) => [project.id, project]));
    });
  }

  insert(project: NewProject): Promise<Project> {
    return this.#projects.insert(project, subdomainErrors(project.subdomain));
  }

  /** Batches look-ups, because every request below a project begins with one. */
  find(id: string): Promise<Project | null> {
    return this.#batches.find(id);
  }

  findBySubdomain(subdomain: Subdomain): Promise<Project | null> {
    return this.#projects.find({ subdomain });
  }

  findForUpdate(accountId: string, id: string): Promise<Project | null> {
    return this.#projects.findForUpdate({ accountId, id });
  }

  async list(
    accountId: string,
    ids: ReadonlySet<string> | null,
    request: PageRequest<ProjectSortKey>,
  ): Promise<Page<ListedProject>> {
    const query = this.#projects.query({ accountId }).addSelect('t.dynamicLinks');
    if (ids !== null) query.andWhere('t.id = ANY (:ids)', { ids: [...ids] });
    const { items, total } = await this.#projects.page(query, ['t.name', 't.subdomain'], request);
    return { items: items.map((project) => ({ project, dynamicLinks: project.dynamicLinks })), total };
  }

  update(accountId: string, id: string, changes: ProjectChanges): Promise<Project | null> {
    const where = { accountId, id, deletedAt: IsNull() };
    return this.#projects.update(where, changes, subdomainErrors(changes.subdomain));
  }

  async delete(accountId: string, id: string): Promise<boolean> {
    const where = { accountId, id, deletedAt: IsNull() };
    const { affected } = await this.context.run(() => this.#projects.repository.softDelete(where));
    return affected === 1;
  }
}

const subdomainErrors = (subdomain: string | undefined) => ({
  projects_subdomain_unique: (detail: string | undefined) =>
    new SubdomainTaken(String(subdomain), detail === 'held' ? 'reserved' : 'in use'),
});
