/** Keys and values are read up to these sizes, because references make a small file have many large ones. */
const limits = { keys: 5000, items: 500, characters: 1000 };

/**
 * Converts a binary property list to the texts and lists of texts that its dictionary has, as XML.
 * @throws RangeError if it is damaged
 */
export function xmlOfBinaryPlist(bytes: Buffer): string {
  const trailer = bytes.subarray(-32);
  const [offsetBytes, referenceBytes] = [trailer.readUInt8(6), trailer.readUInt8(7)];
  const [top, table] = [16, 24].map((at) => Number(trailer.readBigUInt64BE(at))) as [number, number];

  const objectAt = (index: number) => {
    const at = bytes.readUIntBE(table + index * offsetBytes, offsetBytes);
    const marker = bytes.readUInt8(at);
    if ((marker & 15) < 15) return { kind: marker >> 4, count: marker & 15, start: at + 1 };
    const countBytes = 1 << (bytes.readUInt8(at + 1) & 3);
    return { kind: marker >> 4, count: bytes.readUIntBE(at + 2, countBytes), start: at + 2 + countBytes };
  };
  const reference = (start: number, index: number) => bytes.readUIntBE(start + index * referenceBytes, referenceBytes);
  const textAt = (index: number): string | null => {
    const { kind, count, start } = objectAt(index);
    if (count > limits.characters) return null;
    if (kind === 5) return bytes.toString('latin1', start, start + count);
    return kind === 6
      ? Buffer.from(bytes.subarray(start, start + 2 * count))
          .swap16()
          .toString('utf16le')
      : null;
  };
  const valueAt = (index: number): string => {
    const { kind, count, start } = objectAt(index);
    if (kind !== 10) return elementOf(textAt(index));
    const texts = Array.from({ length: Math.min(count, limits.items) }, (_, at) => textAt(reference(start, at)));
    return `<array>${texts.map(elementOf).join('')}</array>`;
  };

  const { kind, count, start } = objectAt(top);
  if (kind !== 13 || count > limits.keys) throw new RangeError('no dictionary');
  return Array.from({ length: count }, (_, at) => {
    const key = textAt(reference(start, at));
    return keys.has(key ?? '') ? `<key>${key}</key>${valueAt(reference(start, count + at))}` : '';
  }).join('\n');
}

const keys: ReadonlySet<string> = new Set([
  'CFBundleIdentifier',
  'CFBundleShortVersionString',
  'CFBundleExecutable',
  'com.apple.developer.associated-domains',
]);

const elementOf = (text: string | null): string =>
  text === null ? '' : `<string>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</string>`;
