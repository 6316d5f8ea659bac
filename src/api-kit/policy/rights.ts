import { type BlockList, isIPv4 } from 'node:net';
import { DomainError } from '../../shared/domain-error';
import { higherRole, includesRole, type Policy, type ProjectRole, type Role, type Scope } from './policy';
import { OutsideLimits, RoleRequired, ScopeRequired } from './policy.errors';

/** Permissions of an authenticated caller. A key has the role owner, and a person has all scopes. */
export interface Rights {
  /** Null for all. */
  readonly scopes: ReadonlySet<Scope> | null;
  /** In the whole account; null for none. */
  readonly role: Role | null;
  /** In single projects, by the id of the project. They count where they are higher. */
  readonly projectRoles: ReadonlyMap<string, ProjectRole>;
  /** Ids of the projects that the caller can see; null for all of the account. */
  readonly projectIds: ReadonlySet<string> | null;
  /** Networks that requests may come from; null for all. */
  readonly networks: BlockList | null;
  /** Hosts to which links that the caller writes may lead; null for all. */
  readonly destinationHosts: readonly string[] | null;
  /** Limits of a publishable key; null for other credentials. */
  readonly publishable: { readonly origins: ReadonlySet<string>; readonly linksPerDay: number | null } | null;
}

export const unlimitedRights: Rights = {
  scopes: null,
  role: 'owner',
  projectRoles: new Map(),
  projectIds: null,
  networks: null,
  destinationHosts: null,
  publishable: null,
};

/** Returns the rights of a person. Without a role in the account, the person sees single projects only. */
export const rightsOfPerson = (role: Role | null, projectRoles: ReadonlyMap<string, ProjectRole>): Rights => ({
  ...unlimitedRights,
  role,
  projectRoles,
  projectIds: role === null ? new Set(projectRoles.keys()) : null,
});

/** Returns the role in a project, or in the account. A person with a role in any project is a viewer of the account. */
function roleIn({ role, projectRoles }: Rights, projectId: string | null): Role | null {
  if (projectId !== null) return higherRole<Role>(role, projectRoles.get(projectId) ?? null);
  return role ?? (projectRoles.size > 0 ? 'viewer' : null);
}

/**
 * Refuses a call that the caller has no right to.
 * @param projectId the project in the path; null without one, and if its id is malformed
 * @param address of the client, for keys that are limited to networks
 * @param origin of the page that sends the request, for publishable keys
 * @throws OutsideLimits, ScopeRequired, RoleRequired
 */
export function assertPermitted(
  policy: Policy,
  rights: Rights,
  projectId: string | null,
  address: () => string,
  origin: string | undefined,
): void {
  if (rights.publishable?.origins.has(origin ?? '') === false) throw new OutsideLimits('origin');
  if (rights.networks !== null && !isInside(rights.networks, address())) throw new OutsideLimits('network');
  assertPolicy(policy, rights, projectId);
}

/**
 * Refuses a call that the caller has no right to, from whatever network.
 * @throws OutsideLimits, ScopeRequired, RoleRequired
 */
export function assertPolicy(policy: Policy, rights: Rights, projectId: string | null): void {
  if (typeof policy === 'string') return;
  const [scope, role] = policy;
  if (scope === 'any key' && rights.publishable !== null) throw new OutsideLimits('publishable');
  if (scope !== 'any key' && scope !== 'signed-in only' && !hasScope(rights.scopes, scope))
    throw new ScopeRequired(scope);
  // A process that does not know the key writes the links of an import.
  if (rights.destinationHosts !== null && scope === 'imports:write') throw new OutsideLimits('imports');
  if (!includesRole(roleIn(rights, projectId), role)) throw new RoleRequired(role);
  if (rights.projectIds === null) return;
  // A change outside of projects creates one, and the audit log and webhooks have all projects.
  const isOfAccount = scope.endsWith(':write') || scope === 'audit:read' || scope === 'webhooks:read';
  const isOutside = projectId === null ? isOfAccount : !rights.projectIds.has(projectId);
  if (isOutside) throw new OutsideLimits('project');
}

/** Returns whether `assertPolicy` allows the call. */
export function mayCall(policy: Policy, rights: Rights, projectId: string | null): boolean {
  try {
    assertPolicy(policy, rights, projectId);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** Returns whether a key has the scope. One that may write links may create them. */
const hasScope = (scopes: Rights['scopes'], scope: Scope): boolean =>
  scopes === null || scopes.has(scope) || (scope === 'links:create' && scopes.has('links:write'));

const isInside = (networks: BlockList, address: string): boolean =>
  networks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
