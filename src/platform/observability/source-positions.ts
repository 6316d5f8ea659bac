import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { packageRoot } from '../../shared/package-root';

const bundles = join(packageRoot, 'dist');

/** By position in a bundle. Errors come from few places, and a map takes 50 ms to read. */
const known = new Map<string, string>();
const maxKnown = 1000;

/** Replaces positions in bundles of `dist` by those in `src` or in a package. Returns a stack trace without any as it is. */
export function inSources(stack: string): string {
  const maps = new Map<string, SourceMap | null>();
  // Searches from known places alone, because a message may be long, and have thousands of slashes.
  const [start, ...parts] = stack.split(bundles);
  return [start, ...parts.map((part) => withSource(part, maps))].join('');
}

/** Replaces the position at the begin of a text that follows the folder of the bundles. */
function withSource(part: string, maps: Map<string, SourceMap | null>): string {
  const [position, path, line, column] = /^(\/[^\n():]*\.js):(\d+):(\d+)/.exec(part) ?? [];
  if (position === undefined) return bundles + part;
  let source = known.get(position);
  if (source === undefined) {
    const file = bundles + path;
    if (!maps.has(file)) maps.set(file, mapOf(file));
    source = sourceOf(maps.get(file), file, Number(line), Number(column)) ?? bundles + position;
    if (known.size < maxKnown) known.set(position, source);
  }
  return source + part.slice(position.length);
}

function mapOf(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return null; // An image may leave the maps out.
  }
}

/** Returns a path relative to the checkout. Lines and columns begin at 1 in stack traces, and at 0 in maps. */
function sourceOf(map: SourceMap | null | undefined, file: string, line: number, column: number): string | undefined {
  const entry = map?.findEntry(line - 1, column - 1);
  if (!entry || !('originalSource' in entry) || !entry.originalSource) return undefined;
  const source = relative(packageRoot, join(dirname(file), entry.originalSource));
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
