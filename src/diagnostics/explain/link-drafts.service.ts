import { Injectable } from '@nestjs/common';
import { AppRepository } from '../../links/apps/app.repository';
import {
  DynamicLink,
  type DynamicLinkChanges,
  type Hashed,
  type NewDynamicLink,
  type NewLink,
} from '../../links/dynamic-links/dynamic-link';
import { CustomPathExists, ExternalIdExists } from '../../links/dynamic-links/dynamic-link.errors';
import { DynamicLinkRepository } from '../../links/dynamic-links/dynamic-link.repository';
import { requireAllowedDestinations, requireOwnApps } from '../../links/dynamic-links/link-references';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import { PgLinkLifeRepository } from '../../links/dynamic-links/pg-link-life.repository';
import type { Project } from '../../links/projects/project';
import { requireFound } from '../../shared/require-found';
import type { Plan } from '../../tenancy/accounts/plan';

/** The path of a draft without one, because each creation generates another path. */
const pathPlaceholder = 'PATH' as LinkPath;

/** Returns the fields with a mark in place of a hash, because nobody enters the password of a draft. */
function withPasswordMark<F extends { password?: string | null }>({ password, ...others }: F): Hashed<F> {
  return password === undefined ? others : { ...others, passwordHash: password === null ? null : Buffer.alloc(0) };
}

/** Checks creations and changes of links like `DynamicLinksService`, and stores nothing. */
@Injectable()
export class LinkDraftsService {
  constructor(
    private readonly links: DynamicLinkRepository,
    private readonly apps: AppRepository,
    private readonly lives: PgLinkLifeRepository,
  ) {}

  /**
   * Returns the link that a creation would store, and stores nothing. No quota is checked.
   * @throws InvalidInput, DestinationRefused, IosAppNotFound, AndroidAppNotFound, CrossScope, FeatureNotInPlan,
   * CustomPathExists, ExternalIdExists
   */
  async ofNew(project: Project, plan: Plan, fields: NewDynamicLink): Promise<NewLink> {
    requireAllowedDestinations(project, fields);
    await requireOwnApps(this.apps, project.id, fields);
    const customPath = fields.customPath ?? pathPlaceholder;
    const link = DynamicLink.create(project.id, plan, { ...withPasswordMark(fields), customPath });
    await this.#requireFreeExternalId(link);
    if (fields.customPath !== undefined) await this.#requireFreePath(link);
    return link;
  }

  /**
   * Returns the link, and the link as an update would store it. Stores nothing.
   * @throws InvalidInput, DestinationRefused, NotFound, IosAppNotFound, AndroidAppNotFound, CrossScope, FeatureNotInPlan,
   * CustomPathExists, ExternalIdExists
   */
  async ofChanged(
    project: Project,
    plan: Plan,
    id: string,
    changes: DynamicLinkChanges,
  ): Promise<{ stored: DynamicLink; draft: DynamicLink }> {
    requireAllowedDestinations(project, changes);
    const stored = requireFound(await this.links.find(project.id, id), 'Dynamic link');
    await requireOwnApps(this.apps, project.id, changes);
    DynamicLink.requireChange(stored, plan, changes);
    const usedUp = await this.#isUsedUp(stored, changes);
    const draft = stored.with({ ...withPasswordMark(changes), usedUp });
    await this.#requireFreeExternalId(draft);
    if (draft.customPath !== stored.customPath) await this.#requireFreePath(draft);
    return { stored, draft };
  }

  /** Returns whether the changed limit is reached by the clicks that are used already. The database decides in the same way. */
  async #isUsedUp({ id, projectId, usedUp }: DynamicLink, { clickLimit }: DynamicLinkChanges): Promise<boolean> {
    if (clickLimit === undefined) return usedUp;
    if (clickLimit === null) return false;
    return requireFound(await this.lives.find(projectId, id), 'Dynamic link').clicksUsed >= clickLimit;
  }

  async #requireFreePath({ projectId, customPath }: NewLink): Promise<void> {
    if (await this.links.hasPath(projectId, customPath)) throw new CustomPathExists(customPath);
  }

  async #requireFreeExternalId({ projectId, id, externalId }: NewLink): Promise<void> {
    if (externalId === null) return;
    const owner = await this.links.findIdByExternalId(projectId, externalId);
    if (owner !== null && owner !== id) throw new ExternalIdExists(externalId);
  }
}
