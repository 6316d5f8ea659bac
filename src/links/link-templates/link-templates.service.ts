import { Injectable } from '@nestjs/common';
import { NotFound } from '../../shared/domain-error';
import { newId } from '../../shared/id';
import type { Page, PageRequest } from '../../shared/page';
import { type Precondition, updateIfUnchanged } from '../../shared/precondition';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import { LimitReached } from '../../tenancy/accounts/account.errors';
import type { Plan } from '../../tenancy/accounts/plan';
import { urlsOfRules } from '../../link-paths/rules/link-rules';
import { requireAllowedUrls } from '../projects/allowed-destinations';
import type { Project } from '../projects/project';
import {
  type LinkTemplate,
  maxTemplates,
  type NewTemplate,
  type TemplateChanges,
  type TemplateSortKey,
} from './link-template';
import { TypeormLinkTemplateRepository } from './typeorm-link-template.repository';

@Injectable()
export class LinkTemplatesService {
  constructor(
    private readonly templates: TypeormLinkTemplateRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(project: Project, request: PageRequest<TemplateSortKey>): Promise<Page<LinkTemplate>> {
    return this.templates.list(project.id, request);
  }

  /** @throws InvalidInput, DestinationRefused, LimitReached, TemplateExists */
  create(project: Project, plan: Plan, fields: NewTemplate): Promise<LinkTemplate> {
    requireAllowedUrls(project, urlsOfRules(fields.rules));
    return this.unitOfWork.run(async () => {
      const used = await this.templates.lockedCount(project.id);
      if (used >= maxTemplates)
        throw new LimitReached('templates of a project', { limit: maxTemplates, used, plan }, 'delete unused ones');
      return this.templates.insert({
        referrerParams: null,
        rules: null,
        ...fields,
        id: newId(),
        projectId: project.id,
      });
    });
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<LinkTemplate> {
    return requireFound(await this.templates.find(project.id, id), 'Template');
  }

  /** @throws NotFound, InvalidInput, DestinationRefused, and what the precondition throws */
  update(
    project: Project,
    id: string,
    changes: TemplateChanges,
    precondition?: Precondition<LinkTemplate>,
  ): Promise<LinkTemplate> {
    requireAllowedUrls(project, urlsOfRules(changes.rules));
    return this.#change(project, id, precondition, async () =>
      requireFound(await this.templates.update(project.id, id, changes), 'Template'),
    );
  }

  /** @throws NotFound, ReferencedByLinks, and what the precondition throws */
  delete(project: Project, id: string, precondition?: Precondition<LinkTemplate>): Promise<void> {
    return this.#change(project, id, precondition, async () => {
      if (!(await this.templates.delete(await this.get(project, id)))) throw new NotFound('Template');
    });
  }

  #change<R>(
    project: Project,
    id: string,
    precondition: Precondition<LinkTemplate> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const find = async () => requireFound(await this.templates.findForUpdate(project.id, id), 'Template');
    return updateIfUnchanged(this.unitOfWork, precondition, find, change);
  }
}
