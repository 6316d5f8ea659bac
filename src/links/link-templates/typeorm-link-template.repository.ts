import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { EntityRows } from '../../platform/tables/entity-rows';
import { NotFound } from '../../shared/domain-error';
import type { Page, PageRequest } from '../../shared/page';
import { deleteUnreferenced } from '../../link-paths/paths/pg-link-references';
import { lockProject } from '../projects/pg-project-lock';
import { type LinkTemplate, type TemplateChanges, TemplateExists, type TemplateSortKey } from './link-template';
import { LinkTemplateSchema } from './link-template.schema';

const reference = { noun: 'template', column: 'template', constraint: 'dynamic_links_template_fk' } as const;

@Injectable()
export class TypeormLinkTemplateRepository {
  readonly #templates: EntityRows<LinkTemplate>;

  constructor(private readonly context: TransactionContext) {
    this.#templates = new EntityRows(context, LinkTemplateSchema);
  }

  /**
   * Counts the templates, while no other one is created until the unit of work ends.
   * @throws NotFound if the project is gone
   */
  async lockedCount(projectId: string): Promise<number> {
    await lockProject(this.context, projectId);
    return this.#templates.repository.countBy({ projectId });
  }

  /** @throws TemplateExists; NotFound if the project is gone */
  insert(template: Omit<LinkTemplate, 'createdAt' | 'updatedAt'>): Promise<LinkTemplate> {
    return this.#templates.insert(
      { ...template },
      {
        link_templates_name_unique: () => new TemplateExists(template.name),
        link_templates_project_fk: () => new NotFound('Project'),
      },
    );
  }

  find(projectId: string, id: string): Promise<LinkTemplate | null> {
    return this.#templates.find({ projectId, id });
  }

  findByName(projectId: string, name: string): Promise<LinkTemplate | null> {
    return this.#templates.find({ projectId, name });
  }

  async names(projectId: string): Promise<string[]> {
    const templates = await this.#templates.repository.find({ where: { projectId }, select: { name: true } });
    return templates.map(({ name }) => name);
  }

  /** Finds the template, and locks it until the unit of work ends. */
  findForUpdate(projectId: string, id: string): Promise<LinkTemplate | null> {
    return this.#templates.findForUpdate({ projectId, id });
  }

  list(projectId: string, request: PageRequest<TemplateSortKey>): Promise<Page<LinkTemplate>> {
    return this.#templates.page(this.#templates.query({ projectId }), ['t.name'], request);
  }

  /** Returns null if the project has no such template. */
  update(projectId: string, id: string, changes: TemplateChanges): Promise<LinkTemplate | null> {
    return this.#templates.update({ projectId, id }, changes);
  }

  /**
   * Returns false if the template is gone.
   * @throws ReferencedByLinks
   */
  delete({ projectId, id, name }: LinkTemplate): Promise<boolean> {
    const remove = () => this.#templates.delete({ projectId, id });
    return deleteUnreferenced(this.context, reference, projectId, name, remove);
  }
}
