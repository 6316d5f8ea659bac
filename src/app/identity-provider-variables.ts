import { z } from 'zod';
import { BadSetting } from '../shared/bad-setting';
import { projectRoles, roles } from '../api-kit/policy/policy';
import { parseId } from '../shared/id';
import { parseUrl } from '../shared/url';
import {
  type GroupRole,
  type IdentityProviderSettings,
  type RoleSettings,
  type SigningAlgorithm,
  signingAlgorithms,
} from '../tenancy/identity-provider/identity-provider-settings';

export const keySetUrl = z.string().transform((value, context) => {
  const url = parseUrl(value);
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return url;
  context.addIssue({ code: 'custom', message: 'must be a URL such as https://id.example.com/.well-known/jwks.json' });
  return z.NEVER;
});

/** An issuer, an audience or the name of a claim. */
export const tokenText = z.string().regex(/^[\x21-\x7e]{1,500}$/, {
  message: 'must be 1 to 500 characters of visible ASCII',
});

export const algorithms = z
  .string()
  .transform((value) => value.split(',').map((item) => item.trim()))
  .refine((items) => items.every((item) => signingAlgorithms.some((one) => one === item)), {
    message: `must be some of ${signingAlgorithms.join(', ')}, separated by commas`,
  })
  .transform((items) => items as SigningAlgorithm[]);

/** Reads `GROUP=ROLE` or `GROUP=ROLE:PROJECT`, separated by commas. A group may contain `=`. */
export const groupRoles = z
  .string()
  .transform((value) => value.split(',').map((item) => groupRoleOf(item.trim())))
  .refine((items) => items.every((item) => item !== null), {
    message: `must be pairs such as staff=editor, separated by commas; the roles are ${roles.join(', ')}, and ${projectRoles.join(', ')} with the id of a project after a colon`,
  })
  .transform((items) => items as GroupRole[]);

function groupRoleOf(pair: string): GroupRole | null {
  const [, group, name, project] = /^(.+)=([a-z]+)(?::(.+))?$/.exec(pair) ?? [];
  const projectId = project === undefined ? null : parseId(project);
  if (group === undefined || (project !== undefined && projectId === null)) return null;
  const role = (projectId === null ? roles : projectRoles).find((one) => one === name);
  return role ? ({ group, role, projectId } as GroupRole) : null;
}

interface Variables {
  DASHBOARD_JWKS_URL?: URL | undefined;
  DASHBOARD_JWKS_FILE?: string | undefined;
  DASHBOARD_ISSUER?: string | undefined;
  DASHBOARD_AUDIENCE?: string | undefined;
  DASHBOARD_ALGORITHMS?: SigningAlgorithm[] | undefined;
  DASHBOARD_CLOCK_SKEW_SECONDS?: number | undefined;
  DASHBOARD_USER_CLAIM?: string | undefined;
  DASHBOARD_ACCOUNT_CLAIM?: string | undefined;
  DASHBOARD_EMAIL_CLAIM?: string | undefined;
  DASHBOARD_ROLES_SOURCE?: 'provider' | 'members' | undefined;
  DASHBOARD_ROLES_CLAIM?: string | undefined;
  DASHBOARD_ROLES?: GroupRole[] | undefined;
}

/**
 * Returns undefined if no variable `DASHBOARD_…` is set.
 * @throws BadSetting if only some of the required variables are set
 */
export function identityProviderSettings(
  variables: Variables,
  production: boolean,
): IdentityProviderSettings | undefined {
  const [set] = Object.entries(variables).filter(
    ([name, value]) => name.startsWith('DASHBOARD_') && value !== undefined,
  );
  if (!set) return undefined;
  const required = <T>(name: string, value: T | undefined, or = ''): T => {
    if (value === undefined) throw new BadSetting(`${name}: is required${or} where ${set[0]} is set`);
    return value;
  };
  const { DASHBOARD_JWKS_URL: url, DASHBOARD_JWKS_FILE: file } = variables;
  if (url && file !== undefined) throw new BadSetting('DASHBOARD_JWKS_FILE: must not be set beside DASHBOARD_JWKS_URL');
  if (production && url?.protocol === 'http:' && !isLoopback(url))
    throw new BadSetting('DASHBOARD_JWKS_URL: must be https, because a forged key set lets in anyone');
  return {
    keySet: file === undefined ? { url: required('DASHBOARD_JWKS_URL', url, ' (or DASHBOARD_JWKS_FILE)') } : { file },
    issuer: required('DASHBOARD_ISSUER', variables.DASHBOARD_ISSUER),
    audience: required('DASHBOARD_AUDIENCE', variables.DASHBOARD_AUDIENCE),
    algorithms: variables.DASHBOARD_ALGORITHMS ?? ['RS256', 'PS256', 'ES256', 'EdDSA'],
    clockSkewSeconds: variables.DASHBOARD_CLOCK_SKEW_SECONDS ?? 30,
    claims: {
      user: variables.DASHBOARD_USER_CLAIM ?? 'sub',
      account: variables.DASHBOARD_ACCOUNT_CLAIM ?? 'account_id',
      email: variables.DASHBOARD_EMAIL_CLAIM ?? 'email',
      groups: variables.DASHBOARD_ROLES_CLAIM ?? 'groups',
    },
  };
}

/** @throws BadSetting if the source `provider` has no roles of groups */
export function roleSettings({
  DASHBOARD_ROLES_SOURCE: source,
  DASHBOARD_ROLES: groups,
}: Variables): RoleSettings | undefined {
  if (source === 'members') return { source };
  if (groups) return { source: 'provider', groups };
  if (source) throw new BadSetting('DASHBOARD_ROLES: is required where DASHBOARD_ROLES_SOURCE is provider');
  return undefined;
}

export const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
