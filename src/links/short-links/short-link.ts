import { type Properties, shapeOf } from '../../shared/field-table';
import { newId } from '../../shared/id';
import type { Caller } from '../../tenancy/accounts/caller';
import type { ShortLinkFields } from './short-link-fields';
import { domainError } from '../../shared/domain-error';

export type ShortLinkSource = 'dashboard' | 'api';

export class ShortLink extends shapeOf<Properties<ShortLinkFields>>() {
  readonly id: string;
  readonly projectId: string;
  /** The surface that created it. */
  readonly source: ShortLinkSource;
  readonly createdBy: string | null;
  readonly createdByApiKeyId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;

  private constructor(fields: Partial<ShortLink>) {
    super();
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

export class SlugExists extends domainError(
  'SLUG_EXISTS',
  (slug: string) => `The slug ${slug} is already used in this project; choose another one`,
) {}
