import { setTimeout as sleep } from 'node:timers/promises';
import type { SubdomainReservations } from './subdomain-reservations';
import type { ProjectRepository } from './project.repository';

/** Links a statement: a fraction of a second's work, so that no row stays locked for long. */
const batchSize = 2000;

/** Milliseconds that a deletion waits for its purge. What is not purged by then goes on in the background. */
const purgeWaitMs = 1000;

/**
 * Removes what deleted projects held. The deletion itself is one row's update, so that it is as quick for a million links as
 * for one; a purge that a crash or an outage cut short is taken up again by whichever process sweeps next.
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

  /** Purges one deleted project, and comes back when that is done or has taken a second. */
  async promptly(projectId: string): Promise<void> {
    await Promise.race([this.#track(this.#purge(projectId)), sleep(purgeWaitMs, undefined, { ref: false })]);
  }

  /** Purges every deleted project that is left, and frees names that have been held long enough. */
  sweep(): Promise<void> {
    return this.#track(this.#purgeLeft());
  }

  /** The batch in hand is finished, no other is begun. */
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
