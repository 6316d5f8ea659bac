/** Counts the apps of a project on both platforms (docs/decisions/0020-read-models.md). */
export abstract class ProjectAppsRepository {
  /**
   * Locks the project's set of apps until the unit of work ends.
   * @throws NotFound if the project is gone
   */
  abstract lock(projectId: string): Promise<void>;
  abstract count(projectId: string): Promise<number>;
}
