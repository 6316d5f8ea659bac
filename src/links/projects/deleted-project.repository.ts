/** Removes projects that were deleted. */
export abstract class DeletedProjectRepository {
  /** Lists the ids of deleted projects that are not purged yet. */
  abstract list(): Promise<string[]>;
  /** Removes up to `batch` links of a deleted project. Returns true when nothing is left of it. */
  abstract purgeSome(id: string, batch: number): Promise<boolean>;
}
