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
  if (!stack.includes(bundles)) return stack;
  const maps = new Map<string, SourceMap | null>();
  return stack.replaceAll(/(\/[^\n()]*\.js):(\d+):(\d+)/g, (position, file: string, line: string, column: string) => {
    if (!file.startsWith(bundles)) return position;
    let source = known.get(position);
    if (source === undefined) {
      if (!maps.has(file)) maps.set(file, mapOf(file));
      source = sourceOf(maps.get(file), file, Number(line), Number(column)) ?? position;
      if (known.size < maxKnown) known.set(position, source);
    }
    return source;
  });
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
