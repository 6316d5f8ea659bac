import type { AppBuild } from './app-build-record.js';

/** The attributes of a `data` element of an intent filter. */
export interface IntentData {
  scheme?: string;
  host?: string;
  path?: string;
  pathPrefix?: string;
  pathPattern?: string;
}

/** Reads a manifest as text, as sources and apktool have it: intent filters with `android:autoVerify`. */
export function buildOfManifest(text: string): AppBuild[] {
  const [before = '', ...comments] = text.split('<!--');
  const manifest = before + comments.map((comment) => comment.slice(`${comment}-->`.indexOf('-->') + 3)).join('');
  const [, attributes = ''] = /<manifest\b([^<>]*)>/.exec(manifest) ?? [];
  const filters = manifest.split(/<intent-filter\b/).slice(1);
  const verified = filters.filter((filter) => attributeOf(filter.split('>', 1)[0]!, 'android:autoVerify') === 'true');
  const data = verified.map((filter) =>
    [...filter.split('</intent-filter>', 1)[0]!.matchAll(/<data\b([^<>]*)>/g)].map(([, own]): IntentData => {
      const names = ['scheme', 'host', 'path', 'pathPrefix', 'pathPattern'] as const;
      return Object.fromEntries(
        names.flatMap((name) => {
          const value = attributeOf(own!, `android:${name}`);
          return value === null ? [] : [[name, value]];
        }),
      );
    }),
  );
  return [
    {
      platform: 'android',
      version: attributeOf(attributes, 'android:versionName'),
      identifier: attributeOf(attributes, 'package'),
      hosts: data.flat().flatMap(({ host }) => host?.toLowerCase() ?? []),
      paths: patternsOf(data),
    },
  ];
}

/**
 * Returns patterns of the API; null for all paths, also if a pattern of Android has another form. All paths and hosts of one filter
 * belong together, so a filter without a path opens all paths.
 */
export function patternsOf(filters: readonly (readonly IntentData[])[]): string[] | null {
  const patterns: string[] = [];
  for (const filter of filters) {
    if (!filter.some(({ host }) => host !== undefined)) continue;
    const own = patternsIn(filter);
    if (own === null) return null;
    patterns.push(...own);
  }
  return patterns.length === 0 ? null : [...new Set(patterns)];
}

function patternsIn(data: readonly IntentData[]): string[] | null {
  const patterns: string[] = [];
  for (const { path, pathPrefix, pathPattern } of data) {
    if (path !== undefined) patterns.push(path);
    if (pathPrefix !== undefined) patterns.push(`${pathPrefix}*`);
    if (pathPattern !== undefined) {
      if (!/^\/[^.*\\]*\.\*$/.test(pathPattern)) return null;
      patterns.push(pathPattern.replace(/\.\*$/, '*'));
    }
  }
  return patterns.length === 0 ? null : patterns;
}

const attributeOf = (attributes: string, name: string): string | null =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1] ?? null;
