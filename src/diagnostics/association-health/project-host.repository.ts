import type { ProjectHost } from './project-host';

export abstract class ProjectHostRepository {
  /** The one that URLs are on first. */
  abstract hostsOf(projectId: string): Promise<ProjectHost[]>;
}
