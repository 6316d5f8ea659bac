import { randomInt } from 'node:crypto';
import { newId } from '../../shared/id';
import type { Caller } from '../../tenancy/accounts/caller';
import type { LinkPath } from '../link-paths/custom-path';
import { text } from '../../shared/text';

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

export type ShortLinkSource = 'dashboard' | 'api';

/** An alias of a dynamic link. */
export class ShortLink {
  readonly id: string;
  readonly projectId: string;
  readonly dynamicLinkId: string;
  readonly slug: LinkPath;
  /** The surface that created it. */
  readonly source: ShortLinkSource;
  readonly createdBy: string | null;
  readonly createdByApiKeyId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;

  private constructor(fields: Partial<ShortLink>) {
    Object.assign(this, fields);
  }

  /** Records who creates the link: requests with an API key come from the API, all others from the dashboard. */
  static create(link: Pick<ShortLink, 'projectId' | 'dynamicLinkId' | 'slug'>, creator: Creator): NewShortLink {
    return new ShortLink({
      ...link,
      id: newId(),
      source: creator.apiKeyId === null ? 'dashboard' : 'api',
      createdBy: creator.userId,
      createdByApiKeyId: creator.apiKeyId,
    });
  }
}

type Creator = Pick<Caller, 'userId' | 'apiKeyId'>;

export type NewShortLink = Omit<ShortLink, 'createdAt' | 'updatedAt'>;
