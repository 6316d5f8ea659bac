import type { Problem } from '../../shared/problem';
import { refused, Rule, wrongType } from '../../shared/rule';
import { text } from '../../shared/text';

export const tagName = text({ min: 1, max: 50, notBlank: true });

/** Tags of a link. */
export const maxTags = 20;

/**
 * Returns the name without letter case, in which the tags of a project are unique. Upper case first, because letters such as the
 * final sigma have two lower-case forms.
 */
export const foldTag = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase();

/** Reads the names of a link's tags, in the order sent. Of names that differ in letter case only, the first one counts. */
export const tagNames = new Rule<string[]>({ type: 'array', items: tagName.schema, maxItems: maxTags }, (value) => {
  if (!Array.isArray(value)) return wrongType('array');
  if (value.length > maxTags) return refused('too_big', `must have at most ${maxTags} items`);
  const problems = value.flatMap((item, at): Problem[] => {
    const reading = tagName.safeParse(item);
    return 'problems' in reading ? reading.problems.map((problem) => ({ ...problem, path: [at] })) : [];
  });
  if (problems.length > 0) return { problems };
  const byFolded = new Map((value as string[]).toReversed().map((name) => [foldTag(name), name]));
  return { value: [...new Set((value as string[]).map((name) => byFolded.get(foldTag(name))!))] };
});

/** A word that people give to links. Its name is unique in the project without regard to letter case. */
export interface Tag {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  /** The name without letter case. */
  readonly foldedName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The links that have it, archived ones included. */
  readonly links: number;
}

export type NewTag = Pick<Tag, 'id' | 'projectId' | 'name' | 'foldedName'>;
export type TagSortKey = 'name' | 'created_at' | 'updated_at';
