import { listOf } from '../../shared/rule';
import { text } from '../../shared/text';
import { domainError } from '../../shared/domain-error';

export const tagName = text({ min: 1, max: 50, notBlank: true });

/** Tags of a link. */
export const maxTags = 20;

/**
 * Returns the name without letter case, in which the tags of a project are unique. Upper case first, because letters such as the
 * final sigma have two lower-case forms. `ẞ` has another upper-case form than `ß`, and upper case decomposes some letters.
 */
export const foldTag = (name: string): string =>
  name.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ß', 'ss').normalize('NFC');

/** Reads the names of a link's tags, in the order sent. Of names that differ in letter case only, the first one counts. */
export const tagNames = listOf(tagName, { maxItems: maxTags }, (names) => {
  const byFolded = new Map(names.toReversed().map((name) => [foldTag(name), name]));
  return [...new Set(names.map((name) => byFolded.get(foldTag(name))!))];
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

export class TagExists extends domainError(
  'TAG_EXISTS',
  (name: string) => `The project already has the tag ${name}; merge the two tags or choose another name`,
) {}
