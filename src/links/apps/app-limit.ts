import { LimitReached } from '../../tenancy/accounts/account.errors';
import type { Plan } from '../../tenancy/accounts/plan';
import type { ProjectAppsRepository } from './project-apps.repository';

export class MobileAppSettings {
  /** Apps per project, iOS and Android together. */
  readonly perProject: number;
}

/** Limits the apps of a project, exactly under concurrency. */
export class AppLimit {
  constructor(
    private readonly apps: ProjectAppsRepository,
    private readonly settings: MobileAppSettings,
  ) {}

  /**
   * Locks the project's set of apps until the unit of work ends, so that changes of its association files wait for each other.
   * @throws NotFound if the project is gone
   */
  lock(projectId: string): Promise<void> {
    return this.apps.lock(projectId);
  }

  /**
   * Reserves one more app in the unit of work that creates it.
   * @throws NotFound, LimitReached
   */
  async reserve(projectId: string, plan: Plan): Promise<void> {
    await this.lock(projectId);
    const [limit, used] = [this.settings.perProject, await this.apps.count(projectId)];
    if (used >= limit) throw new LimitReached('apps in a project', { limit, used, plan });
  }
}
