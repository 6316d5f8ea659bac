import { Injectable } from '@nestjs/common';
import { EntitySchema, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { fieldColumns, idColumns, timeColumns } from '../../platform/tables/field-columns';
import { findLocked } from '../../platform/tables/find-locked';
import { readPage } from '../../platform/tables/typeorm-page';
import { updateRow } from '../../platform/tables/update-row';
import { NotFound } from '../../shared/domain-error';
import type { Page, PageRequest } from '../../shared/page';
import { deleteUnreferenced } from '../../link-paths/paths/pg-link-references';
import { lockProject } from '../projects/pg-project-lock';
import { type LinkTemplate, type TemplateChanges, TemplateExists, type TemplateSortKey } from './link-template';
import { templateFields } from './template-fields';

export const LinkTemplateSchema = new EntitySchema<LinkTemplate>({
  name: 'LinkTemplate',
  tableName: 'link_templates',
  columns: { ...idColumns, ...fieldColumns(templateFields), ...timeColumns },
});

const reference = { noun: 'template', column: 'template', constraint: 'dynamic_links_template_fk' } as const;

@Injectable()
export class TypeormLinkTemplateRepository {
  constructor(private readonly context: TransactionContext) {}

  get #templates(): Repository<LinkTemplate> {
    return this.context.manager.getRepository(LinkTemplateSchema);
  }

  /**
   * Counts the templates, while no other one is created until the unit of work ends.
   * @throws NotFound if the project is gone
   */
  async lockedCount(projectId: string): Promise<number> {
    await lockProject(this.context, projectId);
    return this.#templates.countBy({ projectId });
  }

  /** @throws TemplateExists; NotFound if the project is gone */
  async insert(template: Omit<LinkTemplate, 'createdAt' | 'updatedAt'>): Promise<LinkTemplate> {
    const row = { ...template } as LinkTemplate;
    const insert = () => this.context.run(() => this.#templates.insert(row as QueryDeepPartialEntity<LinkTemplate>));
    await mapConstraintErrors(
      {
        link_templates_name_unique: () => new TemplateExists(template.name),
        link_templates_project_fk: () => new NotFound('Project'),
      },
      insert,
    );
    return row;
  }

  find(projectId: string, id: string): Promise<LinkTemplate | null> {
    return this.#templates.findOneBy({ projectId, id });
  }

  findByName(projectId: string, name: string): Promise<LinkTemplate | null> {
    return this.#templates.findOneBy({ projectId, name });
  }

  async names(projectId: string): Promise<string[]> {
    const templates = await this.#templates.find({ where: { projectId }, select: { name: true } });
    return templates.map(({ name }) => name);
  }

  /** Finds the template, and locks it until the unit of work ends. */
  findForUpdate(projectId: string, id: string): Promise<LinkTemplate | null> {
    return findLocked(this.#templates, { projectId, id });
  }

  list(projectId: string, request: PageRequest<TemplateSortKey>): Promise<Page<LinkTemplate>> {
    return readPage(this.context, this.#templates.createQueryBuilder('t').where({ projectId }), ['t.name'], request);
  }

  /** Returns null if the project has no such template. */
  update(projectId: string, id: string, changes: TemplateChanges): Promise<LinkTemplate | null> {
    return updateRow(this.context, LinkTemplateSchema, { projectId, id }, changes);
  }

  /**
   * Returns false if the template is gone.
   * @throws ReferencedByLinks
   */
  async delete({ projectId, id, name }: LinkTemplate): Promise<boolean> {
    const remove = () => this.context.run(() => this.#templates.delete({ projectId, id }));
    const { affected } = await deleteUnreferenced(this.context, reference, projectId, name, remove);
    return affected === 1;
  }
}
