import type { LinkPath } from '../link-paths/custom-path';
import { text } from '../../shared/text';
import type { DestinationUrl } from './destination-url';
import type { ReferrerParams } from './referrer-params';

export const socialTitle = text({ max: 200 });
export const socialDescription = text({ max: 1000 });

/** Where visitors of one path are sent, by device, and what previews of it show. */
export class DynamicLink {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly customPath: LinkPath;
  readonly desktopUrl: DestinationUrl | null;
  readonly iosAppId: string | null;
  readonly androidAppId: string | null;
  readonly iosFallbackUrl: DestinationUrl | null;
  readonly androidFallbackUrl: DestinationUrl | null;
  readonly iosDeferredDeepLink: boolean;
  readonly socialTitle: string | null;
  readonly socialDescription: string | null;
  readonly socialImageUrl: DestinationUrl | null;
  readonly referrerParams: ReferrerParams | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** With summaries of the apps that it references, as the API embeds them. */
export interface DynamicLinkWithApps extends DynamicLink {
  iosApp: { id: string; name: string; bundle_id: string } | null;
  androidApp: { id: string; name: string; package_name: string } | null;
}

type Configuration = Omit<DynamicLink, 'id' | 'projectId' | 'createdAt' | 'updatedAt'>;

/** What a caller may set; what is left out takes its default. */
export type NewDynamicLink = Pick<Configuration, 'name'> & Partial<Configuration>;

/** Absent: stays as it is. Null: cleared. */
export type DynamicLinkChanges = Partial<Configuration>;

export type DynamicLinkSortKey = 'name' | 'custom_path' | 'created_at' | 'updated_at';
