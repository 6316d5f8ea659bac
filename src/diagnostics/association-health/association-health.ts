import type { CheckedHost } from './host-checks';
import type { DeviceCheck } from './device-checks';
import type { HealthProblem } from './health-problem';
import type { ProbedHost } from './host-probe';
import type { AssociationFiles } from './file-checks';

export interface AssociationHealth {
  /** The files that link traffic serves on all hosts. */
  files: AssociationFiles;
  hosts: HealthOfHost[];
  /** Null without a probe. */
  probedAt: Date | null;
  /** Most severe first. */
  problems: HealthProblem[];
  /** Lines for the developers of the apps. */
  checks: DeviceCheck[];
}

export type HealthOfHost = CheckedHost & {
  /** Null if the host was not probed. */
  probed: Exclude<ProbedHost, string> | null;
};
