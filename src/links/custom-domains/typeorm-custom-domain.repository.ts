import { Injectable } from '@nestjs/common';
import { EntityRows } from '../../platform/tables/entity-rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import { lockProject } from '../projects/pg-project-lock';
import type { CustomDomain, CustomDomainChanges, NewCustomDomain } from './custom-domain';
import { DomainExists } from './custom-domain.errors';
import { CustomDomainSchema } from './custom-domain.schema';

@Injectable()
export class TypeormCustomDomainRepository {
  readonly #domains: EntityRows<CustomDomain>;

  constructor(private readonly context: TransactionContext) {
    this.#domains = new EntityRows(context, CustomDomainSchema);
  }

  /**
   * Locks the project's set of domains until the unit of work ends.
   * @throws NotFound if the project is gone
   */
  lockProject(projectId: string): Promise<void> {
    return lockProject(this.context, projectId);
  }

  count(projectId: string): Promise<number> {
    return this.#domains.repository.countBy({ projectId });
  }

  /**
   * @throws DomainExists if the project has the host name
   * @throws NotFound if the project is gone
   */
  insert(domain: NewCustomDomain): Promise<CustomDomain> {
    return this.#domains.insert(domain, {
      custom_domains_hostname_in_project_unique: () => new DomainExists(domain.hostname),
      custom_domains_project_fk: () => new NotFound('Project'),
    });
  }

  find(projectId: string, id: string): Promise<CustomDomain | null> {
    return this.#domains.find({ projectId, id });
  }

  /** Finds the domain, and locks it until the unit of work ends. */
  findForUpdate(projectId: string, id: string): Promise<CustomDomain | null> {
    return this.#domains.findForUpdate({ projectId, id });
  }

  /** Lists the newest first. */
  list(projectId: string, request: { page: number; limit: number }): Promise<Page<CustomDomain>> {
    return this.#domains.newest({ projectId }, request);
  }

  /** Changes the named fields only. Returns null if the project has no such domain. */
  update(projectId: string, id: string, changes: CustomDomainChanges): Promise<CustomDomain | null> {
    return this.#domains.update({ projectId, id }, withUpdateTime(changes));
  }

  /** Ends a use of the project's domain that has it, if one has. The project is locked. */
  async endUse(projectId: string, use: 'active' | 'openHost'): Promise<void> {
    await this.#domains.repository.update({ projectId, [use]: true }, { [use]: false });
  }

  /** Returns false if the project has no such domain. */
  delete(projectId: string, id: string): Promise<boolean> {
    return this.#domains.delete({ projectId, id });
  }
}

/** Checks do not count as updates: only a change of the status moves `updated_at`. */
export const withUpdateTime = (changes: CustomDomainChanges): object =>
  'active' in changes || 'openHost' in changes || 'verifiedAt' in changes
    ? changes
    : { ...changes, updatedAt: () => 'updated_at' };
