import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { outsideRequests } from '../../platform/postgres/deadline';
import { OwnedRows } from '../../platform/postgres/owned-rows';
import type { ListDefinition } from '../../platform/postgres/list-sql';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { BatchLoader } from '../../platform/postgres/batch-loader';
import type { Page, PageRequest } from '../../shared/page';
import type { NewProject, Project, ProjectChanges, ProjectSortKey, Subdomain } from './project';
import { SubdomainTaken } from './project.errors';
import { type ListedProject, ProjectRepository } from './project.repository';
import { type ProjectRow, ProjectSchema } from './project.schema';

const live = 't.deleted_at IS NULL';

const customDomain = `(SELECT d.hostname FROM custom_domains d WHERE d.project_id = t.id AND d.active) AS "customDomain"`;

const list: ListDefinition<ProjectSortKey> = {
  owner: 'account_id',
  only: live,
  searched: ['fold_text(t.name)', 't.subdomain'],
  sortColumns: { name: 'name COLLATE "C"', subdomain: 'subdomain', created_at: 'created_at', updated_at: 'updated_at' },
  extra: `${customDomain}, (SELECT coalesce(sum(kept.dynamic_links), 0)::int FROM project_counts kept WHERE kept.project_id = t.id) AS "dynamicLinks"`,
};

@Injectable()
export class TypeormProjectRepository extends ProjectRepository {
  readonly #projects: OwnedRows<ProjectRow, ProjectSortKey>;
  readonly #batches: BatchLoader<Project>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#projects = new OwnedRows(context, ProjectSchema, list, customDomain);
    this.#batches = new BatchLoader(async (ids) => {
      const projects = await this.#projects.findAll(`t.id = ANY($1) AND ${live}`, [ids]);
      return new Map(projects.map((project) => [project.id, project]));
    });
  }

  insert(project: NewProject): Promise<Project> {
    return mapSubdomainTaken(project.subdomain, () => this.#projects.insert(project as ProjectRow));
  }

  /** Batches look-ups, because every request below a project begins with one. */
  find(id: string): Promise<Project | null> {
    return this.#batches.find(id);
  }

  async findBySubdomain(subdomain: Subdomain): Promise<Project | null> {
    const [project] = await this.#projects.findAll(`t.subdomain = $1 AND ${live}`, [subdomain]);
    return project ?? null;
  }

  findHosts(id: string): Promise<Pick<Project, 'subdomain' | 'customDomain'>[]> {
    return this.context.read(
      `SELECT name AS subdomain, NULL AS "customDomain" FROM subdomains WHERE project_id = $1
       UNION ALL
       SELECT p.subdomain, d.hostname FROM custom_domains d JOIN projects p ON p.id = d.project_id
       WHERE d.project_id = $1 AND d.verified_at IS NOT NULL`,
      [id],
    );
  }

  findForUpdate(accountId: string, id: string): Promise<Project | null> {
    return this.#projects.findForUpdate(accountId, id);
  }

  async list(accountId: string, request: PageRequest<ProjectSortKey>): Promise<Page<ListedProject>> {
    const { items, total } = await this.#projects.page(accountId, request);
    const listed = items as (ProjectRow & Pick<ListedProject, 'dynamicLinks'>)[];
    return { items: listed.map((project) => ({ project, dynamicLinks: project.dynamicLinks })), total };
  }

  update(accountId: string, id: string, changes: ProjectChanges): Promise<Project | null> {
    return mapSubdomainTaken(changes.subdomain, () => this.#projects.update(accountId, id, changes));
  }

  async delete(accountId: string, id: string): Promise<boolean> {
    const { affected } = await this.#projects.table.softDelete({ id, accountId, deletedAt: IsNull() });
    return affected === 1;
  }

  async listDeleted(): Promise<string[]> {
    const rows = await this.context.read<{ id: string }>(
      'SELECT id FROM projects WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1000',
    );
    return rows.map((row) => row.id);
  }

  async purgeSome(id: string, batch: number): Promise<boolean> {
    // The purge may take longer than the request that began it.
    const [row] = await outsideRequests(() =>
      this.context.manager.query<{ done: boolean }[]>('SELECT purge_deleted_project($1, $2) AS done', [id, batch]),
    );
    return row!.done;
  }
}

const mapSubdomainTaken = <T>(subdomain: string | undefined, write: () => Promise<T>): Promise<T> =>
  mapConstraintErrors(
    {
      projects_subdomain_unique: (detail) =>
        new SubdomainTaken(String(subdomain), detail === 'held' ? 'reserved' : 'in use'),
    },
    write,
  );
