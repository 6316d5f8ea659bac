import { containing } from '../../shared/like-pattern';

/** More patterns take longer to plan than they save. */
const maxPatterns = 300;

/** Matches texts that a path may contain. */
export const inPaths = /^[\x21-\x7e]+$/;

/** Patterns of ILIKE that together find all fields with a text. */
export interface Patterns {
  name: string[];
  path: string[];
}

/**
 * Returns longer patterns for a text that is too short for the trigram index: the text after each character, and at the start.
 * Returns null if some of them would have no trigram either, or if they are too many.
 *
 * @param characters all characters that names and paths contain
 * @param pairs the texts of two characters that end with the text; for a text of one letter
 */
export function patternsOf(
  text: string,
  characters: string[],
  pairs: string[],
  isWordCharacter: (character: string) => boolean,
): Patterns | null {
  const letters = [...text];
  if (letters.length > 2 || !letters.every(isWordCharacter)) return null;
  const atStart = (start: string) => containing(start).slice(1);
  const longer = (end: string) => [atStart(end), ...characters.map((before) => containing(before + end))];
  const name =
    letters.length === 2
      ? longer(text)
      : [
          atStart(text),
          ...pairs.flatMap((pair) => (isWordCharacter([...pair][0]!) ? longer(pair) : [containing(pair)])),
        ];
  if (name.length > maxPatterns) return null;
  return { name, path: name.filter((pattern) => inPaths.test(pattern)) };
}
