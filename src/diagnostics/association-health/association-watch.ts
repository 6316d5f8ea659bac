import type { ProjectRepository } from '../../links/projects/project.repository';
import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { Sweep } from '../../shared/sweep';
import type { AssociationHealthService } from './association-health.service';
import { outcomeOf } from './check-state';
import type { AssociationCheck, PgAssociationCheckRepository } from './pg-association-check.repository';

/** Hosts that a process probes at a time. */
const batchSize = 4;

/** How long a taken domain is reserved for its process: far longer than a probe takes. */
const lockMs = 60_000;

const warnings = {
  'domain.association_failed': 'phones do not get the association files of a custom domain',
  'domain.association_restored': 'phones get the association files of a custom domain again',
};

/**
 * Checks whether custom domains still serve the association files, if a webhook selects the event. Every process sweeps, and takes due
 * domains for itself.
 */
export class AssociationWatch extends Sweep {
  constructor(
    private readonly checks: PgAssociationCheckRepository,
    private readonly projects: ProjectRepository,
    private readonly health: AssociationHealthService,
    private readonly log: Log,
    jobs: BackgroundJobs,
  ) {
    super((error) => log.warn(`association files are checked later: ${(error as Error).message}`), jobs);
  }

  protected work(): Promise<void> {
    return this.inBatches(async () => {
      const due = await this.checks.takeDue(lockMs, batchSize);
      await Promise.all(due.map((check) => this.#check(check)));
      return due.length < batchSize;
    });
  }

  async #check(check: AssociationCheck): Promise<void> {
    const { projectId, hostname } = check;
    const project = await this.projects.find(projectId);
    const errors = project && (await this.health.errorsOf(project, hostname));
    const outcome = outcomeOf(check, errors && errors.length);
    const problems = (errors ?? []).map(({ code, platform, message }) => ({ code, platform, message }));
    const details = { hostname, ...(outcome.event === 'domain.association_failed' && { problems }) };
    if (!(await this.checks.store(check, outcome, details)) || outcome.event === null) return;
    this.log.logger.warn({ hostname, project_id: projectId }, warnings[outcome.event]);
  }
}
