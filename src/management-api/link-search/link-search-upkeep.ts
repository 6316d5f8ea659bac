import { BackgroundJobs } from '../../shared/background-jobs';
import type { LinkSearchIndex } from './link-search-index';
import type { LinkSearchRepository, SearchedProject } from './link-search.repository';
import type { LargeProjects } from './large-projects';
import { searchLimits } from './search-limits';

const sweepIntervalMs = 2000;

/** Finding large projects reads all kept numbers of links. */
const lookIntervalMs = 30_000;

/** A project is built again after it has changed by this factor, because other texts may be frequent then. */
const maxGrowth = 1.5;

const retryMs = 60_000;

/** Keeps the counts of large projects. Any number of processes may run it; each project is the work of one at a time. */
export class LinkSearchUpkeep {
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #nextLookAt = 0;
  readonly #failedAt = new Map<string, number>();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly links: LinkSearchRepository,
    private readonly index: LinkSearchIndex,
    private readonly large: LargeProjects,
    private readonly onBuilt: (projectId: string, links: number, milliseconds: number) => void,
    private readonly onError: (error: unknown) => void,
    jobs = new BackgroundJobs(),
  ) {
    this.#timer = jobs.every(sweepIntervalMs, () => void this.sweep());
  }

  /** Maintains all projects once; concurrent calls share it. It never rejects, because the next sweep retries. */
  sweep(): Promise<void> {
    return (this.#running ??= this.#sweep()
      .catch(this.onError)
      .finally(() => (this.#running = undefined)));
  }

  /** Reads which projects are large, before the first request. The first sweep does it if the database does not answer. */
  async start(): Promise<void> {
    try {
      this.large.set(await this.links.projects());
    } catch (error) {
      this.onError(error);
    }
  }

  /** Looks for large projects now, and builds their counts. */
  async lookAndSweep(): Promise<void> {
    await this.#running;
    this.#nextLookAt = 0;
    await this.sweep();
  }

  /** Ends a build at its next step, and waits for it. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the process stops'));
    clearInterval(this.#timer);
    await this.#running;
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #sweep(): Promise<void> {
    if (this.#isStopping) return;
    if (performance.now() >= this.#nextLookAt) {
      this.#nextLookAt = performance.now() + lookIntervalMs;
      const { minLinks, maxAppPairs } = searchLimits;
      await this.links.noteLarge(minLinks, maxAppPairs);
      for (const projectId of await this.links.outgrown(minLinks / 2, maxAppPairs)) await this.index.remove(projectId);
    }
    const projects = await this.links.projects();
    this.large.set(projects);
    for (const project of projects) if (!this.#isStopping) await this.#maintain(project);
  }

  async #maintain(project: SearchedProject): Promise<void> {
    const { projectId, builtAt, builtLinks, changes } = project;
    const counted = project.links - project.archived;
    if (performance.now() < (this.#failedAt.get(projectId) ?? -Infinity) + retryMs) return;
    try {
      if (builtAt === null || counted > builtLinks * maxGrowth || counted * maxGrowth < builtLinks)
        await this.#build(project);
      else if (changes > searchLimits.maxChanges)
        while (!this.#isStopping && (await this.index.fold(projectId, builtAt, this.#stopping.signal)));
      this.#failedAt.delete(projectId);
    } catch (error) {
      this.#failedAt.set(projectId, performance.now());
      this.onError(error);
    }
  }

  async #build({ projectId, builtAt, links }: SearchedProject): Promise<void> {
    if (!(await this.links.areAllNoted(projectId))) return;
    const startedAt = performance.now();
    await this.index.build(projectId, builtAt, links, this.#stopping.signal);
    this.onBuilt(projectId, links, performance.now() - startedAt);
  }
}
