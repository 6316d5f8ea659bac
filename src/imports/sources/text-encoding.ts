/** Encodings of files. Their bytes below 0x80 are ASCII, so that rows and cells are split without decoding. */
export const encodings = ['utf-8', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

/**
 * Characters of the bytes 0x80 to 0x9f of Windows-1252 (https://encoding.spec.whatwg.org/#windows-1252). TextDecoder of Node.js 20 reads
 * these bytes as ISO 8859-1.
 */
const highCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Decodes text. A part of a file can end within a character.
 * @throws TypeError if the bytes are not UTF-8
 */
export function decodeText(bytes: Buffer, encoding: Encoding = 'utf-8', isWhole = true): string {
  if (encoding === 'utf-8') return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
  return bytes.toString('latin1').replaceAll(/[\x80-\x9f]/g, (sign) => highCharacters[sign.charCodeAt(0) - 0x80]!);
}
