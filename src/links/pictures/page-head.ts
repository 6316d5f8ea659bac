/** The texts and the picture that a web page offers to social networks. */
export interface PageHead {
  title: string | null;
  description: string | null;
  /** As the page has it, which may be relative. */
  imageUrl: string | null;
}

/** Excludes `<`, because the search would otherwise need time by the square of the length. */
const tag = /<meta\s([^<>]{1,4000})>/gi;
const attribute = /(property|name|content)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const titleTag = /<title(?:\s[^>]{0,200})?>([^<]{0,2000})/i;

/** Reads the head of a page as networks do: Open Graph, then Twitter, then the page's own title and description. */
export function readPageHead(html: string): PageHead {
  const values = new Map<string, string>();
  for (const [, attributes = ''] of html.matchAll(tag)) {
    const byName = new Map<string, string>();
    for (const [, name, double, single, bare] of attributes.matchAll(attribute))
      byName.set(name!.toLowerCase(), double ?? single ?? bare ?? '');
    const name = (byName.get('property') ?? byName.get('name') ?? '').toLowerCase();
    const content = textOf(byName.get('content') ?? '');
    if (content !== '' && !values.has(name)) values.set(name, content);
  }
  const first = (...names: string[]) => names.map((name) => values.get(name)).find((value) => value !== undefined);
  const title = textOf(titleTag.exec(html)?.[1] ?? '');
  return {
    title: cut(first('og:title', 'twitter:title') ?? title, 200),
    description: cut(first('og:description', 'twitter:description', 'description') ?? '', 1000),
    imageUrl: first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image') ?? null,
  };
}

/** Returns null for an empty text, and whole characters of others. */
const cut = (text: string, max: number): string | null =>
  text === ''
    ? null
    : text
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, '')
        .toWellFormed();

const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Returns a text without references to characters, control characters and repeated white space. */
const textOf = (markup: string): string =>
  markup
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hexadecimal, name: string) => {
      if (name) return names[name.toLowerCase()] ?? whole;
      const code = decimal ? Number(decimal) : parseInt(hexadecimal as string, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .trim();

/** Returns the text of a page in the encoding that its header or its first bytes name; UTF-8 without one. */
export function decodePage(bytes: Buffer, contentType: string | undefined): string {
  const named =
    /charset\s*=\s*"?([\w-]+)/i.exec(contentType ?? '') ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 1024));
  try {
    return new TextDecoder(named?.[1] ?? 'utf-8').decode(bytes);
  } catch {
    return bytes.toString(); // an encoding that nobody knows
  }
}
