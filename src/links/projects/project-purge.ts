import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { Sweep } from '../../shared/sweep';
import type { PgDeletedProjectRepository } from './pg-deleted-project.repository';
import type { SubdomainReservations } from './subdomain-reservations';

/** Links per statement. Small, so that no row stays locked for long. */
const batchSize = 2000;

/** How long a deletion waits for its purge, which then continues in the background. */
const purgeWaitMs = 1000;

/**
 * Removes the content of deleted projects, and releases expired subdomains. A deletion updates one row only, so that its duration does
 * not depend on the number of links. The next sweep of any process resumes an interrupted purge.
 */
export class ProjectPurge extends Sweep {
  /** Purges by project. Parallel ones of a project would only take connections from requests. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    private readonly projects: Pick<PgDeletedProjectRepository, 'list' | 'purgeSome'>,
    private readonly reservations: SubdomainReservations,
    log: Log,
    jobs: BackgroundJobs,
  ) {
    super((error) => log.warn(`a purge failed and will be retried: ${(error as Error).message}`), jobs);
  }

  /** Purges one deleted project. Returns after a second at the latest. */
  async purgeSoon(projectId: string): Promise<void> {
    await Promise.race([this.#purge(projectId), sleep(purgeWaitMs, undefined, { ref: false })]);
  }

  override async stop(): Promise<void> {
    await Promise.all([super.stop(), ...this.#running.values()]);
  }

  protected async work(): Promise<void> {
    for (const projectId of await this.projects.list()) await this.#purge(projectId);
    await this.reservations.releaseExpired();
  }

  #purge(projectId: string): Promise<void> {
    let purge = this.#running.get(projectId);
    if (!purge) {
      purge = this.inBatches(() => this.projects.purgeSome(projectId, batchSize))
        .catch(this.onError)
        .finally(() => this.#running.delete(projectId));
      this.#running.set(projectId, purge);
    }
    return purge;
  }
}
