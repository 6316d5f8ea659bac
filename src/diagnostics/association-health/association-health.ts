import type { CheckedHost } from './host-checks';
import type { HealthProblem } from './health-problem';
import type { ProbedHost } from './host-probe';
import type { AssociationFiles } from './file-checks';

export interface AssociationHealth {
  /** As link traffic serves them now, on every host that answers. */
  files: AssociationFiles;
  hosts: HealthOfHost[];
  /** Null where hosts were not to be asked. */
  probedAt: Date | null;
  /** The worst first. */
  problems: HealthProblem[];
}

export type HealthOfHost = CheckedHost & {
  /** Null where it was not asked. */
  probed: Exclude<ProbedHost, string> | null;
};
