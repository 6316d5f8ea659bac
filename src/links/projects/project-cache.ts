import { BriefCache } from '../../shared/brief-cache';
import type { Project } from './project';
import type { ProjectRepository } from './project.repository';

/**
 * Caches projects for the routes below them, which all begin with one. The routes of projects themselves read the database,
 * because they compare versions.
 */
export class ProjectCache {
  readonly #cache = new BriefCache<Project>();

  constructor(private readonly projects: ProjectRepository) {}

  find(id: string): Project | Promise<Project | null> {
    return this.#cache.get(id, () => this.projects.find(id));
  }

  /** Runs a change of the project or of its active custom domain. Afterwards, this process shows the new state at once. */
  async changing<R>(id: string, change: () => Promise<R>): Promise<R> {
    try {
      return await change();
    } finally {
      this.forget(id);
    }
  }

  forget(id: string): void {
    this.#cache.delete(id);
  }

  /** Forgets all projects, after a notification that everything may have changed. */
  clear(): void {
    this.#cache.clear();
  }
}
