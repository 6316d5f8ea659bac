export abstract class LinkTagRepository {
  /** Returns the ids of the tags of links. Those without tags, and deleted ones, are absent. */
  abstract find(projectId: string, linkIds: string[]): Promise<Map<string, string[]>>;
}
