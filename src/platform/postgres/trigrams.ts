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
