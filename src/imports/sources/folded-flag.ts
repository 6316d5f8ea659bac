/** Words for true and false. Spreadsheets write those of the language of their user. */
const words: readonly (readonly [on: string, off: string])[] = [
  ['true', 'false'],
  ['t', 'f'],
  ['yes', 'no'],
  ['y', 'n'],
  ['1', '0'],
  ['on', 'off'],
  ['wahr', 'falsch'], // German
  ['vrai', 'faux'], // French
  ['verdadero', 'falso'], // Spanish
  ['verdadeiro', 'falso'], // Portuguese, Galician
  ['vero', 'falso'], // Italian
  ['cert', 'fals'], // Catalan
  ['adevărat', 'fals'], // Romanian
  ['waar', 'onwaar'], // Dutch
  ['prawda', 'fałsz'], // Polish
  ['pravda', 'nepravda'], // Czech, Slovak
  ['resnično', 'neresnično'], // Slovenian
  ['istina', 'laž'], // Croatian
  ['igaz', 'hamis'], // Hungarian
  ['sant', 'falskt'], // Swedish
  ['sann', 'usann'], // Norwegian
  ['sand', 'falsk'], // Danish
  ['tosi', 'epätosi'], // Finnish
  ['tõene', 'väär'], // Estonian
  ['patiess', 'nepatiess'], // Latvian
  ['tiesa', 'netiesa'], // Lithuanian
  ['doğru', 'yanlış'], // Turkish
  ['истина', 'ложь'], // Russian
  ['істина', 'хибність'], // Ukrainian
  ['истина', 'лъжа'], // Bulgarian
  ['참', '거짓'], // Korean
];

/** Returns the word in capitals. Small letters differ more: `i` and `ı` of Turkish have the capital `I`. */
const folded = (word: string): string => word.normalize('NFC').trim().toUpperCase();

const flags = new Map(words.flatMap(([on, off]) => [[folded(on), true] as const, [folded(off), false] as const]));

/** Reads a flag of JSON or CSV, in any letter case; returns null for other values. */
export function foldedFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return flags.get(folded(String(value))) ?? null;
}
