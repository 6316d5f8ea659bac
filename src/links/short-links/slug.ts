import { randomInt } from 'node:crypto';
import { text } from '../../shared/text';
import type { LinkPath } from '../../link-paths/paths/custom-path';

export const maxSlugLength = 20;

/** Accepts a link path in a narrower alphabet. */
export const slug = text<LinkPath>({
  min: 3,
  max: maxSlugLength,
  pattern: /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/,
  patternSays: 'consist of lowercase letters, digits, - and _, with neither - nor _ first or last',
});

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz';

export const minGeneratedLength = 4;

/** Draws distinct random slugs of the given length. */
export function drawSlugs(length: number, count: number): LinkPath[] {
  const drawn = new Set<string>();
  while (drawn.size < count) drawn.add(Array.from({ length }, () => base36[randomInt(base36.length)]).join(''));
  return [...drawn] as LinkPath[];
}
