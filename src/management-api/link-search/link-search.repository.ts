import type { LinkCount, LinkTexts } from './link-counts';

export interface SearchedProject {
  projectId: string;
  /** Null before the first build. */
  builtAt: Date | null;
  /** The number of counted links at the last build. */
  builtLinks: number;
  links: number;
  /** Those of them that are archived, which have no counts. */
  archived: number;
  /** The noted changes, as far as they were counted. */
  changes: number;
  /** The part of all links that the project has, about. */
  share: number;
  /** Whether the trigrams of the database contain letters other than those of ASCII. */
  hasAllLetters: boolean;
}

/** A place in the order of `created_at` and `id`. */
export interface Place {
  createdAt: Date;
  id: string;
}

export abstract class LinkSearchRepository {
  /** Begins to note the changes of each project that has so many links, and no more pairs of apps. */
  abstract noteLarge(minLinks: number, maxAppPairs: number): Promise<void>;
  /** Returns the noted projects that are deleted, have fewer links, or more pairs of apps. */
  abstract outgrown(minLinks: number, maxAppPairs: number): Promise<string[]>;
  /** Declares the counts of the project incomplete, before they are removed. */
  abstract setUnbuilt(projectId: string): Promise<void>;
  /** Ends to note the changes of the project, and removes those that were noted. */
  abstract forget(projectId: string): Promise<void>;
  abstract projects(): Promise<SearchedProject[]>;
  /** Returns whether every transaction that noted no changes of the project has ended. */
  abstract areAllNoted(projectId: string): Promise<boolean>;
  /**
   * Locks the project until the unit of work ends. Returns false if another process has it.
   * @param builtAt the last build that the caller knows; false is returned if another process has built it since
   */
  abstract lock(projectId: string, builtAt: Date | null): Promise<boolean>;
  /** Locks like `lock`, and lets the unit of work see one snapshot. It must be the first call of the unit of work. */
  abstract lockSnapshot(projectId: string, builtAt: Date | null): Promise<boolean>;
  /** Returns the place after so many links. */
  abstract skip(projectId: string, from: Place | null, links: number): Promise<Place | null>;
  /** Returns the next links after a place, grouped by apps, and the place of the last one; null at the end. */
  abstract read(
    projectId: string,
    from: Place | null,
    limit: number,
  ): Promise<{ texts: LinkTexts[]; last: Place } | null>;
  /** Removes counts of a project. Returns false if none is left. */
  abstract removeSomeCounts(projectId: string, limit: number): Promise<boolean>;
  /** Removes noted changes that the unit of work sees, and returns them. */
  abstract takeChanges(projectId: string, limit: number): Promise<LinkTexts[]>;
  abstract insertCounts(projectId: string, counts: LinkCount[]): Promise<void>;
  abstract addCounts(projectId: string, counts: LinkCount[]): Promise<void>;
  /** Returns the texts of more than two characters that have counts. */
  abstract longTexts(projectId: string): Promise<string[]>;
  /** @param characters all characters that the project's names and paths contain */
  abstract setBuilt(projectId: string, links: number, hasAllShortTexts: boolean, characters: string): Promise<void>;
  abstract setShortTexts(projectId: string, hasAllShortTexts: boolean, characters: string): Promise<void>;
  /** Returns how many links contain each text, about; null for a text that has no count. */
  abstract countsOf(projectId: string, texts: string[]): Promise<(number | null)[]>;
  /** Returns texts or patterns in lower case, and in the form in which the index of names with letters beyond ASCII has them. */
  abstract asciiForms(texts: string[]): Promise<{ lower: string; form: string }[]>;
  /**
   * Returns the text in lower case, the project's characters, and its texts of two characters that end with the text. Returns null
   * if not all characters are known.
   */
  abstract charactersAround(
    projectId: string,
    search: string,
  ): Promise<{ text: string; characters: string[]; pairs: string[] } | null>;
}
