import { Injectable } from '@nestjs/common';
import { IsNull, type Repository } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { outsideRequests } from '../../platform/postgres/deadline';
import { type ListOf, Rows } from '../../platform/postgres/rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { BatchLoader } from '../../platform/postgres/batch-loader';
import type { Page, PageRequest } from '../../shared/page';
import { type NewProject, Project, type ProjectChanges, type ProjectSortKey } from './project';
import { SubdomainTaken } from './project.errors';
import { type ListedProject, ProjectRepository } from './project.repository';
import { type ProjectRow, ProjectSchema } from './project.schema';

const live = 't.deleted_at IS NULL';
const ofAccount = `t.id = $1 AND t.account_id = $2 AND ${live}`;

const customDomain = `(SELECT d.hostname FROM custom_domains d WHERE d.project_id = t.id AND d.active) AS "customDomain"`;

const projects: ListOf<ProjectSortKey> = {
  owner: 'account_id',
  only: live,
  searched: ['name', 'subdomain'],
  sortColumns: { name: 'name COLLATE "C"', subdomain: 'subdomain', created_at: 'created_at', updated_at: 'updated_at' },
  extra: `${customDomain}, (SELECT coalesce(sum(kept.dynamic_links), 0)::int FROM project_counts kept WHERE kept.project_id = t.id) AS "dynamicLinks"`,
};

@Injectable()
export class TypeormProjectRepository extends ProjectRepository {
  readonly #rows: Rows<Project>;
  readonly #listed: Rows<Project & { dynamicLinks: number }>;
  readonly #together: BatchLoader<Project>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#rows = new Rows(context, ProjectSchema);
    this.#listed = new Rows(context, ProjectSchema);
    this.#together = new BatchLoader(async (ids) => {
      const found = await this.#rows.findAll(`t.id = ANY($1) AND ${live}`, [ids], customDomain);
      return new Map(found.map((project) => [project.id, project]));
    });
  }

  private get table(): Repository<ProjectRow> {
    return this.context.manager.getRepository(ProjectSchema);
  }

  async insert(fields: NewProject): Promise<Project> {
    const project = Object.assign(new Project(), fields, { customDomain: null });
    await refusingTaken(fields.subdomain, () => this.table.insert(project));
    return project;
  }

  /** Every request below a project begins with this. */
  find(id: string): Promise<Project | null> {
    return this.#together.find(id);
  }

  findForUpdate(accountId: string, id: string): Promise<Project | null> {
    return this.#rows.findForUpdate(ofAccount, [id, accountId], customDomain);
  }

  async list(accountId: string, request: PageRequest<ProjectSortKey>): Promise<Page<ListedProject>> {
    const { items, total } = await this.#listed.page(projects, accountId, request);
    return { items: items.map(({ dynamicLinks, ...project }) => ({ project, dynamicLinks })), total };
  }

  async update(accountId: string, id: string, changes: ProjectChanges): Promise<Project | null> {
    if (Object.keys(changes).length > 0)
      await refusingTaken(changes.subdomain, () => this.table.update({ id, accountId }, changes));
    return this.#rows.find(ofAccount, [id, accountId], customDomain);
  }

  async delete(accountId: string, id: string): Promise<boolean> {
    const { affected } = await this.table.softDelete({ id, accountId, deletedAt: IsNull() });
    return affected === 1;
  }

  async listDeleted(): Promise<string[]> {
    const rows = await this.context.read<{ id: string }>(
      'SELECT id FROM projects WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1000',
    );
    return rows.map((row) => row.id);
  }

  async purgeSome(id: string, batch: number): Promise<boolean> {
    // Outlives the request that began it.
    const [row] = await outsideRequests(() =>
      this.context.manager.query<{ done: boolean }[]>('SELECT purge_deleted_project($1, $2) AS done', [id, batch]),
    );
    return row!.done;
  }
}

const refusingTaken = <T>(subdomain: string | undefined, write: () => Promise<T>): Promise<T> =>
  mapConstraintErrors({ projects_subdomain_unique: () => new SubdomainTaken(String(subdomain)) }, write);
