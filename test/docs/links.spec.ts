import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../support/chart-tools';
import { words } from '../support/words';

/** Folders with generated content; .gitignore lists them. */
const generated = words('node_modules build dist reports coverage .data .git');

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return generated.includes(entry.name) ? [] : filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** All files of the repository, relative to its root. */
const files = filesIn('.');

const pages = files.filter((file) => file.endsWith('.md'));

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Returns a page without its blocks of code. */
const proseOf = (page: string): string => textOf(page).replaceAll(/^( *)(```+)[^]*?^\1\2$/gm, '');

interface Link {
  from: string;
  path: string;
  anchor: string | undefined;
}

const linksIn = (page: string): Link[] =>
  [
    ...proseOf(page)
      .replaceAll(/`[^`]+`/g, 'code')
      .matchAll(/\]\(([^()\s]+)\)/g),
  ]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path, anchor] = target.split('#') as [string, string?];
      return { from: page, path: path === '' ? page : normalize(join(dirname(page), path)), anchor };
    });

/** Returns the anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of proseOf(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading!.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
    const anchor = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n++) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Returns the links that lead to no file, or to no heading of a page. */
const brokenOf = (links: Link[]): string[] =>
  links
    .filter(({ path, anchor }) => {
      if (!existsSync(join(root, path))) return true;
      return anchor !== undefined && !(path.endsWith('.md') && anchorsOf(path).has(anchor));
    })
    .map(({ from, path, anchor }) => `${from}: ${path}${anchor === undefined ? '' : `#${anchor}`}`);

test('every relative link of every page leads to a file and a heading', () => {
  const links = pages.flatMap(linksIn);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ anchor }) => anchor !== undefined).length).toBeGreaterThan(10);
  expect(brokenOf(links)).toEqual([]);
});

test('every page that code, charts or alerts name exists, with its heading', () => {
  const named = files
    .filter((file) => /\.(?:[cm]?[jt]s|md|ya?ml|sql|txt)$|Dockerfile|\.ci\/run$/.test(file))
    .flatMap((from) =>
      [...textOf(from).matchAll(/(?<![\w/.-])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(([, path, anchor]): Link => ({
        from,
        path: path!,
        anchor,
      })),
    );
  expect(named.length).toBeGreaterThan(40);
  expect(brokenOf(named)).toEqual([]);
});

test('the README can be read in one sitting', () => {
  expect(statSync(join(root, 'README.md')).size).toBeLessThanOrEqual(8000);
});

test('every page of docs is reachable from docs/README.md', () => {
  const inDocs = pages.filter((page) => page.startsWith('docs/'));
  const reached = new Set(['docs/README.md']);
  for (const page of reached) {
    for (const { path } of linksIn(page)) if (inDocs.includes(path)) reached.add(path);
  }
  expect(inDocs.length).toBeGreaterThan(30);
  expect(inDocs.filter((page) => !reached.has(page))).toEqual([]);
});
