/** Widths of the characters from the space to the tilde in Helvetica-Bold, in thousandths of its size (Adobe's font metrics). */
const widths = [
  278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
  556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
  280, 389, 584,
];
const other = 611;

/** Codes of WinAnsiEncoding beyond those of Latin-1. */
const winAnsi = new Map(
  [...'€‚„…‘’“”–—'].map((character, at) => [
    character,
    [0x80, 0x82, 0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97][at]!,
  ]),
);

/** Returns the codes of the text in WinAnsiEncoding; null if it has other characters. */
export function winAnsiOf(text: string): number[] | null {
  const codes = [...text].map((character) => {
    const code = character.codePointAt(0)!;
    return (code >= 32 && code < 127) || (code >= 160 && code < 256) ? code : winAnsi.get(character);
  });
  return codes.every((code) => code !== undefined) ? codes : null;
}

/** Returns the width of the text at the size 1. A letter with an accent is as wide as the letter. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => {
    const [base] = character.normalize('NFD');
    return sum + (widths[base!.codePointAt(0)! - 32] ?? other) / 1000;
  }, 0);
