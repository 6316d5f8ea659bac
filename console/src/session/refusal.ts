import type { Permission } from '../../plugins/permissions.js';

/** The rights of the caller, as `GET /account` states them. */
export interface Access {
  readonly role: Permission['role'] | null;
  readonly project_roles: Readonly<Record<string, Permission['role']>>;
  readonly scopes: readonly string[] | null;
  readonly project_ids: readonly string[] | null;
  readonly frozen: boolean;
}

/** Why a caller may not call an operation. */
export type Refusal =
  | { because: 'frozen' | 'project' | 'signed-in' }
  | { because: 'role'; role: Permission['role'] }
  | { because: 'scope'; scope: string };

const roles = ['viewer', 'editor', 'admin', 'owner'] as const;
const rankOf = (role: Permission['role'] | null): number => (role === null ? -1 : roles.indexOf(role));

/**
 * Returns why the service would refuse the operation, or null. The service decides in src/api-kit/policy/rights.ts, and a test compares
 * both.
 */
export function refusalOf(
  permission: Permission,
  access: Access,
  caller: 'key' | 'person',
  projectId: string | null,
): Refusal | null {
  const { role, scope, isRead, inProject } = permission;
  if (access.frozen && !isRead) return { because: 'frozen' };
  if (caller === 'key' && scope === false) return { because: 'signed-in' };
  if (scope && access.scopes && !includesScope(access.scopes, scope)) return { because: 'scope', scope };
  if (rankOf(roleIn(access, inProject ? projectId : null)) < rankOf(role)) return { because: 'role', role };
  if (access.project_ids === null) return null;
  const isOfAccount =
    scope !== null && scope !== false && (scope.endsWith(':write') || ['audit:read', 'webhooks:read'].includes(scope));
  const isOutside = inProject ? !access.project_ids.includes(projectId ?? '') : isOfAccount;
  return isOutside ? { because: 'project' } : null;
}

const includesScope = (scopes: readonly string[], scope: string): boolean =>
  scopes.includes(scope) || (scope === 'links:create' && scopes.includes('links:write'));

function roleIn({ role, project_roles: ofProjects }: Access, projectId: string | null): Permission['role'] | null {
  if (projectId === null) return role ?? (Object.keys(ofProjects).length > 0 ? 'viewer' : null);
  const inProject = ofProjects[projectId] ?? null;
  return rankOf(inProject) > rankOf(role) ? inProject : role;
}
