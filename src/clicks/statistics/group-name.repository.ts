import type { GroupName, Grouping } from './statistics';

export abstract class GroupNameRepository {
  /** Returns the names of links or tags of a project by the values of their groups. A link under deletion has none. */
  abstract find(projectId: string, grouping: Grouping, values: string[]): Promise<Map<string, GroupName>>;
}
