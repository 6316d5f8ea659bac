import { setTimeout as sleep } from 'node:timers/promises';
import type { SubdomainReservations } from './subdomain-reservations';
import type { ProjectRepository } from './project.repository';

/** Links per statement. Small, so that no row stays locked for long. */
const batchSize = 2000;

/** How long a deletion waits for its purge, which then continues in the background. */
const purgeWaitMs = 1000;

/**
 * Removes the content of deleted projects. A deletion updates one row only, so that its duration does not depend on the number
 * of links. The next sweep of any process resumes an interrupted purge.
 */
export class ProjectPurge {
  #stopped = false;
  readonly #running = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly projects: ProjectRepository,
    private readonly reservations: SubdomainReservations,
    private readonly onError: (error: unknown) => void,
    sweepInterval = 30_000,
  ) {
    this.#timer = setInterval(() => void this.sweep(), sweepInterval).unref();
  }

  /** Purges one deleted project. Returns after a second at the latest. */
  async purgeSoon(projectId: string): Promise<void> {
    await Promise.race([this.#track(this.#purge(projectId)), sleep(purgeWaitMs, undefined, { ref: false })]);
  }

  /** Purges all deleted projects, and releases expired subdomains. */
  sweep(): Promise<void> {
    return this.#track(this.#purgeLeft());
  }

  /** Waits for the current batch, and starts no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await Promise.all(this.#running);
  }

  #track(work: Promise<void>): Promise<void> {
    this.#running.add(work);
    return work.finally(() => this.#running.delete(work));
  }

  async #purgeLeft(): Promise<void> {
    try {
      for (const projectId of await this.projects.listDeleted()) await this.#purge(projectId);
      await this.reservations.releaseExpired();
    } catch (error) {
      this.onError(error);
    }
  }

  async #purge(projectId: string): Promise<void> {
    try {
      while (!this.#stopped && !(await this.projects.purgeSome(projectId, batchSize)));
    } catch (error) {
      this.onError(error);
    }
  }
}
