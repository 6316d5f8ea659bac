import type { ProjectHost } from './project-host';

export abstract class ProjectHostRepository {
  /** Returns all hosts of the project, the current one first. */
  abstract hostsOf(projectId: string): Promise<ProjectHost[]>;
}
