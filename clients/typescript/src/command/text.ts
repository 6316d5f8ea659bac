/** Characters that change how a terminal shows the text around them: controls, and changes of direction. */
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Replaces characters that a terminal would obey, such as escape sequences, by visible text. Fields of links come from many
 * people.
 */
export function printable(text: string): string {
  return text.replaceAll(unsafe, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    return `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
}

/** Renders JSON whose strings have no character that a terminal would obey. Programs read the same values. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(unsafe, (character) =>
    character === '\n' ? character : `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
}

const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/u;
const combining = /[\p{Mn}\p{Me}\p{Cf}]/u;

const widthOfCharacter = (character: string): number => (combining.test(character) ? 0 : wide.test(character) ? 2 : 1);

/** Returns the columns of a terminal that the text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

/** Cuts a text to a number of columns, and marks the cut by an ellipsis. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let result = '';
  let width = 1;
  for (const character of text) {
    width += widthOfCharacter(character);
    if (width > columns) break;
    result += character;
  }
  return `${result}…`;
}

/** Returns the number with its noun: `1 link`, `2 links`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the name of a tag without letter case, as the service compares names. */
export const foldTag = (name: string): string =>
  name.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ß', 'ss').normalize('NFC');
