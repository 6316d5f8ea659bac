import { Injectable } from '@nestjs/common';
import { IsNull, type Repository } from 'typeorm';
import { translating } from '../database/database-error';
import { withDeadline } from '../database/deadline';
import { Session } from '../database/session';
import { containing } from '../shared/like-pattern';
import { offsetOf, type Page, type PageRequest } from '../shared/page';
import { type NewProject, Project, type ProjectChanges, type ProjectSortKey } from './project';
import { SubdomainTaken } from './project.errors';
import { type ListedProject, ProjectRepository } from './project.repository';
import { type ProjectRow, ProjectSchema } from './project.schema';

/** As the indexes of `migrations/` have it: text sorts by code point. */
const sortColumns: Record<ProjectSortKey, string> = {
  name: 'project.name COLLATE "C"',
  subdomain: 'project.subdomain',
  created_at: 'project.created_at',
  updated_at: 'project.updated_at',
};

@Injectable()
export class TypeormProjectRepository extends ProjectRepository {
  constructor(private readonly session: Session) {
    super();
  }

  private get projects(): Repository<ProjectRow> {
    return this.session.manager.getRepository(ProjectSchema);
  }

  async insert(fields: NewProject): Promise<Project> {
    const project = Object.assign(new Project(), fields);
    await refusingTaken(fields.subdomain, () => this.projects.insert(project));
    return project;
  }

  find(id: string): Promise<Project | null> {
    return this.projects.findOneBy({ id });
  }

  async list(accountId: string, request: PageRequest<ProjectSortKey>): Promise<Page<ListedProject>> {
    const query = this.projects.createQueryBuilder('project').where('project.account_id = :accountId', { accountId });
    if (request.search)
      query.andWhere('(project.name ILIKE :pattern OR project.subdomain ILIKE :pattern)', {
        pattern: containing(request.search),
      });
    const total = await query.getCount();
    const offset = offsetOf(request, total);
    if (offset === null) return { items: [], total };
    const direction = request.sortOrder === 'asc' ? 'ASC' : 'DESC';
    const projects = await query
      .orderBy(sortColumns[request.sortBy], direction)
      .addOrderBy('project.id', direction)
      .limit(request.limit)
      .offset(offset)
      .getMany();
    const counts = await this.countLinks(projects.map((project) => project.id));
    return { items: projects.map((project) => ({ project, dynamicLinks: counts.get(project.id) ?? 0 })), total };
  }

  private async countLinks(projectIds: string[]): Promise<Map<string, number>> {
    const rows = await this.session.manager.query<{ project_id: string; count: string }[]>(
      'SELECT project_id, sum(dynamic_links) AS count FROM project_counts WHERE project_id = ANY ($1) GROUP BY project_id',
      [projectIds],
    );
    return new Map(rows.map((row) => [row.project_id, Number(row.count)]));
  }

  async update(accountId: string, id: string, changes: ProjectChanges): Promise<Project | null> {
    if (Object.keys(changes).length > 0)
      await refusingTaken(changes.subdomain, () => this.projects.update({ id, accountId }, changes));
    return this.projects.findOneBy({ id, accountId });
  }

  async delete(accountId: string, id: string): Promise<boolean> {
    const { affected } = await this.projects.softDelete({ id, accountId, deletedAt: IsNull() });
    return affected === 1;
  }

  async listDeleted(): Promise<string[]> {
    const rows = await this.session.manager.query<{ id: string }[]>(
      'SELECT id FROM projects WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1000',
    );
    return rows.map((row) => row.id);
  }

  async purgeSome(id: string, batch: number): Promise<boolean> {
    // Outlives the request that began it.
    const [row] = await withDeadline(Infinity, () =>
      this.session.manager.query<{ done: boolean }[]>('SELECT purge_deleted_project($1, $2) AS done', [id, batch]),
    );
    return row!.done;
  }
}

const refusingTaken = <T>(subdomain: string | undefined, write: () => Promise<T>): Promise<T> =>
  translating({ projects_subdomain_unique: () => new SubdomainTaken(String(subdomain)) }, write);
