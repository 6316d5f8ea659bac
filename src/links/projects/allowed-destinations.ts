import { isDeepStrictEqual } from 'node:util';
import { OutsideLimits } from '../../api-kit/policy/policy.errors';
import type { Caller } from '../../tenancy/accounts/caller';
import { allowsDestination } from '../../shared/destination-host';
import { isWebUrl, schemeOf } from '../../shared/destination-url';
import { domainError } from '../../shared/domain-error';
import { inField, InvalidInput, type Problem } from '../../shared/problem';
import type { Project, ProjectChanges } from './project';

/** Where links may lead that a request writes. */
export type AllowedDestinations = Pick<Project, 'allowedSchemes' | 'destinationHosts' | 'hostsOfKey'>;

type Limiting = keyof typeof lists;

const lists = { project: 'the project', api_key: 'the API key' };

export class DestinationRefused extends domainError(
  'ACCESS_DENIED',
  (field: string, host: string, limitedBy: Limiting) => `${field} ${hostRefusal(host, limitedBy)}`,
  (field, host, limitedBy) => ({ destination_host: host, field, limited_by: limitedBy }),
) {}

const hostRefusal = (host: string, limitedBy: Limiting): string =>
  `leads to ${host}, which destination_hosts of ${lists[limitedBy]} does not have; use a host of the list`;

type Hosts = Pick<AllowedDestinations, 'destinationHosts' | 'hostsOfKey'>;

/** Returns the host of a URL that leads elsewhere, and whose list lacks it. `allowed_schemes` decides about URLs outside of the web. */
function refusedHost({ destinationHosts, hostsOfKey = null }: Hosts, url: string): [string, Limiting] | null {
  if (!isWebUrl(url)) return null;
  const target = new URL(url);
  const isOutside = (hosts: readonly string[]) => !allowsDestination(hosts, target);
  if (destinationHosts.length > 0 && isOutside(destinationHosts)) return [target.host, 'project'];
  return hostsOfKey !== null && isOutside(hostsOfKey) ? [target.host, 'api_key'] : null;
}

/** Returns why the project allows no link to the URL; null if it does. */
export function hostProblem(project: Hosts, url: string): string | null {
  const refused = refusedHost(project, url);
  return refused && hostRefusal(...refused);
}

/** Returns the problem of a destination whose scheme the project does not allow; null if it does. */
export function schemeProblem(allowed: readonly string[], url: string): Problem | null {
  if (isWebUrl(url) || allowed.includes(schemeOf(url))) return null;
  const message = `has the scheme ${schemeOf(url)}, which allowed_schemes of the project does not have; add it there, or use https`;
  return { code: 'invalid_format', path: [], message };
}

/**
 * Requires that the project and the API key allow the scheme and the host of each URL.
 * @param urls by field
 * @throws InvalidInput, DestinationRefused
 */
export function requireAllowedUrls(
  project: AllowedDestinations,
  urls: Record<string, string | null | undefined>,
): void {
  const problems = Object.entries(urls).flatMap(([field, url]) => {
    const problem = url ? schemeProblem(project.allowedSchemes, url) : null;
    return problem ? inField(field, [problem]) : [];
  });
  if (problems.length > 0) throw InvalidInput.because(problems);
  requireAllowedHosts(project, urls);
}

/**
 * Requires that the lists of the project and of the API key have the host of each URL.
 * @param urls by field
 * @throws DestinationRefused
 */
export function requireAllowedHosts(allowed: Hosts, urls: Record<string, string | null | undefined>): void {
  for (const [field, url] of Object.entries(urls)) {
    const refused = url ? refusedHost(allowed, url) : null;
    if (refused) throw new DestinationRefused(field, ...refused);
  }
}

const unlimited: ProjectChanges = { destinationHosts: [], allowedSchemes: [], longLinkDestinations: [] };

/**
 * Refuses a change of the allow-lists by an API key if the project or the key limits destinations. Otherwise a stolen key would allow its
 * destination first.
 * @param current the project; null for a new one
 * @throws OutsideLimits
 */
export function requirePersonForLists(
  { apiKeyId, rights }: Pick<Caller, 'apiKeyId' | 'rights'>,
  current: Project | null,
  changes: ProjectChanges,
): void {
  const isLimited = rights.destinationHosts !== null || (current !== null && current.destinationHosts.length > 0);
  if (apiKeyId === null || !isLimited) return;
  for (const field of ['destinationHosts', 'allowedSchemes', 'longLinkDestinations'] as const) {
    const now = (current ?? unlimited)[field];
    if (changes[field] !== undefined && !isDeepStrictEqual(changes[field], now)) throw new OutsideLimits('allow_lists');
  }
}
