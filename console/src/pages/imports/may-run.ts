import type { Import } from 'signpost-client';

type Decision = Pick<Import, 'state' | 'conflict' | 'counts'>;

/** Whether the conflicts of a dry run forbid the run. */
export const isForbidden = ({ state, conflict, counts }: Decision): boolean =>
  state === 'ready' && conflict === 'fail' && counts.conflict > 0;

/** Whether a run is allowed and would change a link. */
export const mayRun = (job: Decision): boolean =>
  job.state === 'ready' && !isForbidden(job) && job.counts.created + job.counts.replaced > 0;

/** Whether the dry run has ended, and no run can change a link. */
export const isStuck = (job: Decision): boolean => job.state === 'ready' && !mayRun(job);
