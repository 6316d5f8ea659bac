export abstract class LinkTagRepository {
  /**
   * Returns the ids of links and of their tags as text: each link is followed by its tags without a separator, and commas separate
   * links. Links without tags, and deleted ones, are absent. The text is read by a database, so that the process has no work for each link.
   * @param links ids, separated by commas
   */
  abstract find(projectId: string, links: string): Promise<string>;
}
