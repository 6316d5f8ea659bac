/** Permissions of API keys. A key without a list of scopes has all of them. */
export const scopes = [
  'projects:read',
  'projects:write',
  'links:read',
  'links:write',
  'links:create',
  'apps:read',
  'apps:write',
  'domains:read',
  'domains:write',
  'imports:read',
  'imports:write',
  'analytics:read',
  'conversions:write',
  'audit:read',
  'webhooks:read',
  'webhooks:write',
] as const;
export type Scope = (typeof scopes)[number];

/** The roles of people, in ascending order. Each includes those before it. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

export const projectRoles = ['viewer', 'editor', 'admin'] as const satisfies readonly Role[];
export type ProjectRole = (typeof projectRoles)[number];

/**
 * Who may call an operation: `public` for everybody, `authenticated` for every credential, otherwise the scope of keys and the least
 * role of people.
 */
export type Policy = 'public' | 'authenticated' | readonly [keys: Scope | 'any key' | 'signed-in only', people: Role];

const rankOf = (role: Role | null): number => (role === null ? -1 : roles.indexOf(role));

export const includesRole = (role: Role | null, required: Role): boolean => rankOf(role) >= rankOf(required);

export const higherRole = <R extends Role>(one: R | null, other: R | null): R | null =>
  rankOf(one) >= rankOf(other) ? one : other;
