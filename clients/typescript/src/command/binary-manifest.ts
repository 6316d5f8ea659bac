/** Types of chunks, values and attributes in `ResourceTypes.h` and `R.attr` of Android. */
const chunks = { strings: 0x0001, resourceIds: 0x0180, start: 0x0102, end: 0x0103 };
const types = { text: 0x03, boolean: 0x12 };
const attributes = new Map([
  [0x0101_0027, 'scheme'],
  [0x0101_0028, 'host'],
  [0x0101_002a, 'path'],
  [0x0101_002b, 'pathPrefix'],
  [0x0101_002c, 'pathPattern'],
  [0x0101_021c, 'versionName'],
  [0x0101_04ee, 'autoVerify'],
]);

const elements = ['manifest', 'intent-filter', 'data'];

/** Intent filters are short. References make a small file have many long texts. */
const maxCharacters = { text: 1000, manifest: 200_000 };

/**
 * Converts the manifest of an `.apk` to the part of its source that says what the app opens.
 * @throws RangeError if it is damaged; Error if it refers to a resource, or is too large
 */
export function xmlOfBinaryManifest(bytes: Buffer): string {
  let textAt = (_: number): string => '';
  let resourceIds: number[] = [];
  let xml = '';
  for (let at = bytes.readUInt16LE(2); at < bytes.length;) {
    const [type, header, size] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2), bytes.readUInt32LE(at + 4)];
    if (size < 8 || at + size > bytes.length) throw new RangeError('no chunk');
    const chunk = bytes.subarray(at, at + size);
    if (type === chunks.strings) textAt = textsOf(chunk, header);
    if (type === chunks.resourceIds)
      resourceIds = Array.from({ length: (size - header) >> 2 }, (_, index) => chunk.readUInt32LE(header + 4 * index));
    if (type === chunks.start || type === chunks.end) {
      const name = textAt(chunk.readUInt32LE(header + 4));
      if (elements.includes(name))
        xml += type === chunks.end ? `</${name}>` : `<${name}${attributesOf(chunk, header)}>`;
    }
    if (xml.length > maxCharacters.manifest) throw new Error('its intent filters are too large');
    at += size;
  }
  return xml;

  function attributesOf(chunk: Buffer, header: number): string {
    const [start, size, count] = [8, 10, 12].map((at) => chunk.readUInt16LE(header + at)) as [number, number, number];
    return Array.from({ length: Math.min(count, 50) }, (_, index) => {
      const at = header + start + index * size;
      const nameIndex = chunk.readUInt32LE(at + 4);
      const known = attributes.get(resourceIds[nameIndex] ?? 0);
      const name = known === undefined ? textAt(nameIndex) : `android:${known}`;
      if (known === undefined && name !== 'package') return '';
      const [type, data] = [chunk.readUInt8(at + 15), chunk.readUInt32LE(at + 16)];
      if (type === types.text) return ` ${name}="${escape(textAt(data))}"`;
      if (type === types.boolean) return ` ${name}="${data !== 0}"`;
      throw new Error(`its ${name} refers to a resource; name the source of the manifest, or use apktool`);
    }).join('');
  }
}

/** Returns a reader of the texts of a pool, which are in UTF-8 or UTF-16. */
function textsOf(pool: Buffer, header: number): (index: number) => string {
  const [count, flags, start] = [8, 16, 20].map((at) => pool.readUInt32LE(at)) as [number, number, number];
  const isUtf8 = (flags & 0x100) !== 0;
  /** Lengths have two units if the first one has its highest bit. */
  const unit = isUtf8 ? 1 : 2;
  const lengthAt = (at: number) => {
    const high = 1 << (8 * unit - 1);
    const first = pool.readUIntLE(at, unit);
    if (first < high) return { length: first, next: at + unit };
    return { length: (first - high) * 2 * high + pool.readUIntLE(at + unit, unit), next: at + 2 * unit };
  };
  return (index) => {
    if (index >= count) return '';
    const characters = lengthAt(start + pool.readUInt32LE(header + 4 * index));
    if (characters.length > maxCharacters.text) return '';
    const { length, next } = isUtf8 ? lengthAt(characters.next) : characters;
    return pool.toString(isUtf8 ? 'utf8' : 'utf16le', next, next + unit * length);
  };
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
