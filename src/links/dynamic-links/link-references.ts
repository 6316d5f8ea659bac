import type { AppPlatform } from '../apps/app';
import { appPlatforms } from '../apps/app-platforms';
import type { AppRepository } from '../apps/app.repository';
import { AndroidAppNotFound, IosAppNotFound } from '../apps/app.errors';
import { urlsOfRules } from '../link-rules/link-rules';
import { urlsOfVariants, variantsOf } from '../link-rules/variants';
import { isWebUrl, schemeOf } from '../../shared/destination-url';
import { CrossScope } from '../../shared/domain-error';
import { inField, InvalidInput, type Problem } from '../../shared/problem';
import { type AllowedDestinations, requireAllowedHosts } from '../projects/allowed-destinations';
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

/** Returns the problem of a destination whose scheme the project does not allow; null if it does. */
export function schemeProblem(allowed: readonly string[], url: string): Problem | null {
  if (isWebUrl(url) || allowed.includes(schemeOf(url))) return null;
  const message = `has the scheme ${schemeOf(url)}, which allowed_schemes of the project does not have; add it there, or use https`;
  return { code: 'invalid_format', path: [], message };
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
  const problems = Object.entries(destinations).flatMap(([field, url]) => {
    const problem = url ? schemeProblem(project.allowedSchemes, url) : null;
    return problem ? inField(field, [problem]) : [];
  });
  if (problems.length > 0) throw InvalidInput.because(problems);
  requireAllowedHosts(project, destinations);
}

export interface TagFields {
  tags: string[];
  tagIds: string[];
}

export const toTagFields = (tags: readonly { id: string; name: string }[]): TagFields => ({
  tags: tags.map(({ name }) => name),
  tagIds: tags.map(({ id }) => id),
});
