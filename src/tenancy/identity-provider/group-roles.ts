import { higherRole, type ProjectRole, type Role } from '../../api-kit/policy/policy';
import { type Rights, rightsOfPerson } from '../../api-kit/policy/rights';
import type { GroupRole } from './identity-provider-settings';

/** Returns the rights of a person in these groups. The highest role counts. Other groups have no meaning here. */
export function rightsOfGroups(groupRoles: readonly GroupRole[], groups: readonly string[]): Rights {
  let accountRole: Role | null = null;
  const projectRoles = new Map<string, ProjectRole>();
  for (const one of groupRoles) {
    if (!groups.includes(one.group)) continue;
    if (one.projectId === null) accountRole = higherRole(accountRole, one.role);
    else projectRoles.set(one.projectId, higherRole(projectRoles.get(one.projectId) ?? null, one.role)!);
  }
  return rightsOfPerson(accountRole, projectRoles);
}
