import { describedOperations, nameOfOperation } from '../support/described-operations';

/** The scope of keys and the least role of people by operations, beside the table of the service. The first row that matches counts. */
const policies: [operations: RegExp, keys: string, people: string][] = [
  [/\/revoke-leaked$/, 'public', 'public'],
  [/ \/account\/(?:api-keys|approvals|members|users)/, 'signed-in only', 'admin'],
  [/^GET .*\/protection$/, 'signed-in only', 'viewer'],
  [/\/protection$/, 'signed-in only', 'owner'],
  [/ \/account\/audit-log/, 'audit:read', 'admin'],
  [/ \/(?:account|service-health)$/, 'any key', 'viewer'],
  [/\/restore$/, 'links:write', 'editor'],
  [/\/(?:explain|simulate)$/, 'links:read', 'viewer'],
  [/^GET .*\/(?:analytics|clicks|shares)|\/conversions\/export/, 'analytics:read', 'viewer'],
  // A creation also needs analytics:read, but not before its body is valid.
  [/\/shares/, 'links:write', 'editor'],
  [/\/conversions$/, 'conversions:write', 'editor'],
  [/^GET .*\/webhooks/, 'webhooks:read', 'admin'],
  [/\/webhooks/, 'webhooks:write', 'admin'],
  [/^GET .*\/(?:links|short-links|tags|link-templates)/, 'links:read', 'viewer'],
  [/^POST .*\/(?:links|short-links)$/, 'links:create', 'editor'],
  [/\/(?:links|pictures|short-links|tags|link-templates)/, 'links:write', 'editor'],
  [/^GET .*-apps/, 'apps:read', 'viewer'],
  [/-apps/, 'apps:write', 'admin'],
  [/^GET .*\/custom-domains/, 'domains:read', 'viewer'],
  [/\/custom-domains/, 'domains:write', 'admin'],
  [/^GET .*\/imports/, 'imports:read', 'viewer'],
  [/\/imports/, 'imports:write', 'editor'],
  [/^GET \/projects/, 'projects:read', 'viewer'],
  [/ \/projects/, 'projects:write', 'admin'],
];

export const roles = ['viewer', 'editor', 'admin', 'owner'];

export const rows = describedOperations.map(nameOfOperation).map((operation) => {
  const [, keys, people] = policies.find(([operations]) => operations.test(operation))!;
  return [operation, keys, people] as const;
});

export const scopes = [...new Set(rows.map(([, keys]) => keys).filter((keys) => keys.includes(':')))];

export type Place = 'own' | 'other' | 'foreign';

/** A credential, and what it may do by the table: a key by its scopes, a person by the role. */
export interface Subject {
  name: string;
  key?: { scopes: string[]; isLimited: boolean };
  /** The groups of a person, and the roles that they give. */
  person?: { groups: string[]; inAccount: string | null; inProject: string | null };
}

export const people: Subject[] = [
  { name: 'nobody', person: { groups: ['strangers'], inAccount: null, inProject: null } },
  ...roles.map((role) => ({ name: role, person: { groups: [role], inAccount: role, inProject: null } })),
  ...roles.slice(0, 3).map((role) => ({
    name: `${role} of the own project`,
    person: { groups: [`own-${role}`], inAccount: null, inProject: role },
  })),
  { name: 'viewer who edits', person: { groups: ['viewer', 'own-editor'], inAccount: 'viewer', inProject: 'editor' } },
];
export const keys: Subject[] = [
  { name: 'key with all scopes', key: { scopes, isLimited: false } },
  { name: 'key of the own project', key: { scopes, isLimited: true } },
  ...scopes.map((scope) => ({ name: `key with ${scope}`, key: { scopes: [scope], isLimited: false } })),
];
export const subjects = [...people, ...keys];

const rankOf = (role: string | null): number => (role === null ? -1 : roles.indexOf(role));
const higher = (one: string | null, other: string | null) => (rankOf(one) > rankOf(other) ? one : other);

/** Returns the answer by the table: the code or the details of a refusal, or `allowed`. */
export function expected(
  [operation, scope, role]: (typeof rows)[number],
  { key, person }: Subject,
  place: Place,
): unknown {
  const inProject = operation.includes('{projectId}');
  if (scope === 'public') return 'allowed';
  if (key) {
    if (scope === 'signed-in only') return 'AUTH_REQUIRED';
    const includes = [scope, ...(scope === 'links:create' ? ['links:write'] : [])];
    if (scope.includes(':') && !includes.some((one) => key.scopes.includes(one))) return { required_scope: scope };
    if (
      key.isLimited &&
      (inProject ? place !== 'own' : scope.endsWith(':write') || ['audit:read', 'webhooks:read'].includes(scope))
    )
      return { reason: 'project' };
  } else {
    const { inAccount, inProject: inOwn } = person!;
    const anywhere = inAccount ?? (inOwn && 'viewer');
    const effective = inProject ? higher(inAccount, place === 'own' ? inOwn : null) : anywhere;
    if (rankOf(effective) < rankOf(role)) return { required_role: role };
  }
  return inProject && place === 'foreign' ? 'foreign' : 'allowed';
}
