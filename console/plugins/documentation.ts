import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Plugin } from 'vite';

const folder = resolve(import.meta.dirname, '../../docs');
const query = '?help';

/** Provides pages of `docs/` as HTML, by imports of `page.md?help`, so that browsers load no reader of Markdown. */
export function documentation(): Plugin {
  return {
    name: 'signpost-documentation',
    enforce: 'pre',
    load: (id) =>
      id.endsWith(query) ? `export default ${JSON.stringify(htmlOf(id.slice(0, -query.length)))};` : undefined,
  };
}

/** Returns the address of a page in the console, such as `/console/help/moving-in/csv`. */
export const helpPath = (file: string): string =>
  `/console/help/${relative(folder, file)
    .replace(/\.md$/, '')
    .replace(/(^|\/)README$/, '$1index')}`;

/** Returns the anchor of a heading, as GitHub makes it. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

export function htmlOf(file: string): string {
  const marked = new Marked();
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const plain = text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '');
        return `<h${depth} id="${anchorOf(plain)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const label = this.parser.parseInline(tokens);
        if (/^https?:/.test(href)) return `<a href="${href}" target="_blank" rel="noreferrer">${label}</a>`;
        const [path, anchor] = href.split('#') as [string, string?];
        const target = resolve(dirname(file), path === '' ? file : path);
        // Files outside the documentation are in the repository only.
        if (!target.startsWith(`${folder}/`) || !target.endsWith('.md')) return label;
        return `<a href="${path === '' ? '' : helpPath(target)}${anchor === undefined ? '' : `#${anchor}`}">${label}</a>`;
      },
      image: ({ text }: Tokens.Image) => `<em>${text}</em>`,
    },
  });
  return marked.parse(readFileSync(file, 'utf8'), { async: false });
}
