import { Injectable } from '@nestjs/common';
import { PreconditionFailed } from '../../api-kit/kit/http.errors';
import { type Acknowledgement, noAcknowledgement } from '../../link-paths/release-guard/release-acknowledgement';
import { NotFound } from '../../shared/domain-error';
import type { Precondition } from '../../shared/precondition';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { Plan } from '../../tenancy/accounts/plan';
import type { Project } from '../projects/project';
import { DynamicLink, type DynamicLinkWithApps, type NewDynamicLink } from './dynamic-link';
import { ExternalIdExists } from './dynamic-link.errors';
import { DynamicLinkRepository } from './dynamic-link.repository';
import { DynamicLinksService } from './dynamic-links.service';

/** Maximum attempts of a replacement. Others create or delete the same link at the same time. */
const maxAttempts = 5;

/** Reads and replaces links by their ids in other systems. */
@Injectable()
export class ExternalIdLinksService {
  constructor(
    private readonly links: DynamicLinkRepository,
    private readonly dynamicLinks: DynamicLinksService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param externalId null if no link can have it
   * @throws NotFound
   */
  async getByExternalId(project: Project, externalId: string | null): Promise<DynamicLinkWithApps> {
    const id = externalId === null ? null : await this.links.findIdByExternalId(project.id, externalId);
    return this.dynamicLinks.get(project, requireFound(id, 'Dynamic link'));
  }

  /**
   * Creates the link with this external id, or replaces its fields if it exists.
   * @throws InvalidInput, DestinationRefused, IosAppNotFound, AndroidAppNotFound, CrossScope, FeatureNotInPlan, QuotaReached,
   * CustomPathExists, BreaksReleasedApp, and what the precondition throws
   */
  async replace(
    project: Project,
    plan: Plan,
    externalId: string,
    fields: NewDynamicLink,
    precondition?: Precondition<DynamicLinkWithApps>,
    acknowledgement: Acknowledgement = noAcknowledgement,
  ): Promise<{ link: DynamicLinkWithApps; isNew: boolean }> {
    for (let attempt = 1; ; attempt++) {
      try {
        const id = await this.links.findIdByExternalId(project.id, externalId);
        if (id !== null) {
          const changes = DynamicLink.replacement(fields);
          const link = await this.dynamicLinks.update(project, plan, id, changes, precondition, acknowledgement);
          return { link, isNew: false };
        }
        if (precondition) throw new PreconditionFailed();
        // In one transaction, because a request that fails changes nothing.
        const link = await this.unitOfWork.run(async () => {
          const created = await this.dynamicLinks.create(project, plan, { ...fields, externalId });
          return this.dynamicLinks.get(project, created.id);
        });
        return { link, isNew: true };
      } catch (error) {
        // Another request has created or deleted the link meanwhile.
        const isOvertaken = error instanceof ExternalIdExists || error instanceof NotFound;
        if (!isOvertaken || attempt === maxAttempts) throw error;
      }
    }
  }
}
