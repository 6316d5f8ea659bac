import type { AppPlatform } from '../apps/app';
import { appPlatforms } from '../apps/app-platforms';
import type { AppRepository } from '../apps/app.repository';
import { AndroidAppNotFound, IosAppNotFound } from '../apps/app.errors';
import { urlsOfRules } from '../../link-paths/rules/link-rules';
import { urlsOfVariants, variantsOf } from '../../link-paths/rules/variants';
import { CrossScope } from '../../shared/domain-error';
import { type AllowedDestinations, requireAllowedUrls } from '../projects/allowed-destinations';
import type { DynamicLinkChanges } from './dynamic-link';

const notFound = { ios: IosAppNotFound, android: AndroidAppNotFound };

/** @throws IosAppNotFound, AndroidAppNotFound, CrossScope */
export async function requireOwnApps(
  apps: Pick<AppRepository, 'findProjectsOf'>,
  projectId: string,
  { iosAppId, androidAppId }: DynamicLinkChanges,
): Promise<void> {
  for (const [platform, id] of [['ios', iosAppId] as const, ['android', androidAppId] as const])
    if (id) requireOwnApp(platform, projectId, (await apps.findProjectsOf(platform, [id])).get(id) ?? null);
}

/**
 * Distinguishes the two refusals for the caller. The foreign keys keep references valid.
 * @param owner the project of the app; null if no project has it
 * @throws IosAppNotFound, AndroidAppNotFound, CrossScope
 */
export function requireOwnApp(platform: AppPlatform, projectId: string, owner: string | null): void {
  if (owner === null) throw new notFound[platform]();
  if (owner !== projectId) throw new CrossScope(`The ${appPlatforms[platform].appName} of ${platform}_app_id`);
}

/**
 * Refuses destinations whose scheme or host the project or the API key does not allow. A link that has one already keeps it.
 * @throws InvalidInput, DestinationRefused
 */
export function requireAllowedDestinations(project: AllowedDestinations, link: DynamicLinkChanges): void {
  const { desktopUrl: desktop_url, iosFallbackUrl: ios_fallback_url, androidFallbackUrl: android_fallback_url } = link;
  const { expiredUrl: expired_url } = link;
  const ofVariants = urlsOfVariants(variantsOf(link.variants));
  const destinations = {
    ...{ desktop_url, ios_fallback_url, android_fallback_url, expired_url },
    ...ofVariants,
    ...urlsOfRules(link.rules),
  };
  requireAllowedUrls(project, destinations);
}

export interface TagFields {
  tags: string[];
  tagIds: string[];
}

export const toTagFields = (tags: readonly { id: string; name: string }[]): TagFields => ({
  tags: tags.map(({ name }) => name),
  tagIds: tags.map(({ id }) => id),
});
