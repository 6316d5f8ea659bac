/** Browsers send some 50 characters. The rest is ignored, because clients choose the length. */
const maxHeaderChars = 512;

const quality = /^q=(0(?:\.\d*)?|1(?:\.0*)?)$/i;

/**
 * Returns the language for an `Accept-Language` header, by the look-up of RFC 4647 (section 3.4) and the qualities of RFC 9110
 * (section 12.4.2). All languages have one subtag, so only the first subtag of a range decides.
 * @param languages begins with the default
 */
export function preferredLanguage<Language extends string>(
  acceptLanguage: string | undefined,
  languages: readonly [Language, ...Language[]],
): Language {
  const ranges = languageRanges(acceptLanguage);
  let best = languages[0];
  let bestQuality = 0;
  for (const range of ranges) {
    const language = languages.find((known) => known === range.tag.split('-', 1)[0]);
    if (language === undefined || range.quality <= bestQuality) continue;
    if (ranges.some(({ tag, quality }) => tag === language && quality === 0)) continue;
    best = language;
    bestQuality = range.quality;
  }
  return best;
}

/** Returns the language ranges of the header with their qualities, in the order sent. */
export function languageRanges(acceptLanguage: string | undefined): { tag: string; quality: number }[] {
  const ranges = (acceptLanguage ?? '').slice(0, maxHeaderChars).split(',').map(readRange);
  // The last one may be incomplete.
  if (acceptLanguage !== undefined && acceptLanguage.length > maxHeaderChars) ranges.pop();
  return ranges;
}

/** Reads one range with its quality. An invalid quality is negative, so that the range has no effect. */
function readRange(text: string): { tag: string; quality: number } {
  const [tag = '', weight] = text.split(';').map((part) => part.trim());
  const digits = weight === undefined ? '1' : quality.exec(weight)?.[1];
  return { tag: tag.toLowerCase(), quality: digits === undefined ? -1 : Number(digits) };
}
