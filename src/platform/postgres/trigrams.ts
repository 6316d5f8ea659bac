const ofAscii = /[a-z0-9]{3}|[^a-z0-9][a-z0-9]|[a-z0-9]{2}[^a-z0-9]/i;
const ofAll = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u;

/**
 * Returns whether pg_trgm finds a trigram in each text that contains the given one. A trigram is three letters or digits, or fewer
 * at the limit of a word. Without one, PostgreSQL reads a trigram index completely.
 *
 * @param hasAllLetters whether the locale of the database knows letters other than those of ASCII
 */
export const hasTrigram = (text: string, hasAllLetters: boolean): boolean =>
  (hasAllLetters ? ofAll : ofAscii).test(text);

export const isWordCharacter = (character: string, hasAllLetters: boolean): boolean =>
  (hasAllLetters ? /^[\p{L}\p{N}]$/u : /^[a-z0-9]$/i).test(character);

/** Three letters or digits of a text, and the number of the word that has them. */
export interface Trigram {
  text: string;
  word: number;
}

/**
 * Returns the distinct trigrams of a text, which the index can look up one by one. A capital sigma has two lower-case forms, and its
 * neighbours decide. So a trigram with one may be missing in a text that contains the whole.
 */
export function trigramsOf(text: string, hasAllLetters: boolean): Trigram[] {
  const words: string[][] = [[]];
  for (const character of text)
    if (character !== 'Σ' && isWordCharacter(character, hasAllLetters)) words.at(-1)!.push(character);
    else words.push([]);
  const found = new Map<string, Trigram>();
  for (const [word, characters] of words.entries())
    for (let at = 0; at + 3 <= characters.length; at++) {
      const trigram = characters.slice(at, at + 3).join('');
      if (!found.has(trigram)) found.set(trigram, { text: trigram, word });
    }
  return Array.from(found.values());
}
