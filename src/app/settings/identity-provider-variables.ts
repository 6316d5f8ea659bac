import { z } from 'zod';
import { BadSetting } from '../../shared/bad-setting';
import { projectRoles, roles } from '../../api-kit/policy/policy';
import { parseId } from '../../shared/id';
import {
  type GroupRole,
  type IdentityProviderSettings,
  type RoleSettings,
  type SigningAlgorithm,
  signingAlgorithms,
} from '../../tenancy/identity-provider/identity-provider-settings';
import { env, settingsIn, type Values } from './setting';
import { checkedUrl, wholeNumber } from './setting-values';

const keySetUrl = checkedUrl(
  'must be a URL such as https://id.example.com/.well-known/jwks.json',
  ({ protocol, username, password }) => ['http:', 'https:'].includes(protocol) && !username && !password,
);

/** An issuer, an audience or the name of a claim. */
export const tokenText = z.string().regex(/^[\x21-\x7e]{1,500}$/, {
  message: 'must be 1 to 500 characters of visible ASCII',
});

const algorithms = z
  .string()
  .transform((value) => value.split(',').map((item) => item.trim()))
  .refine((items) => items.every((item) => signingAlgorithms.some((one) => one === item)), {
    message: `must be some of ${signingAlgorithms.join(', ')}, separated by commas`,
  })
  .transform((items) => items as SigningAlgorithm[]);

/** Reads `GROUP=ROLE` or `GROUP=ROLE:PROJECT`, separated by commas. A group may contain `=`. */
const groupRoles = z
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

export const identityProvider = {
  jwksUrl: env('DASHBOARD_JWKS_URL', keySetUrl.optional()),
  jwksFile: env('DASHBOARD_JWKS_FILE', z.string().optional()),
  issuer: env('DASHBOARD_ISSUER', tokenText.optional()),
  audience: env('DASHBOARD_AUDIENCE', tokenText.optional()),
  algorithms: env('DASHBOARD_ALGORITHMS', algorithms.default(['RS256', 'PS256', 'ES256', 'EdDSA'])),
  clockSkewSeconds: env('DASHBOARD_CLOCK_SKEW_SECONDS', wholeNumber(0, 300, 30)),
  claims: {
    user: env('DASHBOARD_USER_CLAIM', tokenText.default('sub')),
    account: env('DASHBOARD_ACCOUNT_CLAIM', tokenText.default('account_id')),
    email: env('DASHBOARD_EMAIL_CLAIM', tokenText.default('email')),
    groups: env('DASHBOARD_ROLES_CLAIM', tokenText.default('groups')),
  },
  roles: {
    source: env('DASHBOARD_ROLES_SOURCE', z.enum(['provider', 'members']).optional()),
    groups: env('DASHBOARD_ROLES', groupRoles.optional()),
  },
};

/**
 * Returns undefined if no variable `DASHBOARD_…` is set.
 * @throws BadSetting if only some of the required variables are set
 */
export function identityProviderSettings(
  environment: NodeJS.ProcessEnv,
  { jwksUrl: url, jwksFile: file, issuer, audience, roles: _, ...others }: Values<typeof identityProvider>,
  production: boolean,
): IdentityProviderSettings | undefined {
  const set = settingsIn(identityProvider).find(({ variable }) => environment[variable])?.variable;
  if (set === undefined) return undefined;
  const required = <T>(name: string, value: T | undefined, or = ''): T => {
    if (value === undefined) throw new BadSetting(`${name}: is required${or} where ${set} is set`);
    return value;
  };
  if (url && file !== undefined) throw new BadSetting('DASHBOARD_JWKS_FILE: must not be set beside DASHBOARD_JWKS_URL');
  if (production && url?.protocol === 'http:' && !isLoopback(url))
    throw new BadSetting('DASHBOARD_JWKS_URL: must be https, because a forged key set lets in anyone');
  return {
    keySet: file === undefined ? { url: required('DASHBOARD_JWKS_URL', url, ' (or DASHBOARD_JWKS_FILE)') } : { file },
    issuer: required('DASHBOARD_ISSUER', issuer),
    audience: required('DASHBOARD_AUDIENCE', audience),
    ...others,
  };
}

/** @throws BadSetting if the source `provider` has no roles of groups */
export function roleSettings({ source, groups }: Values<typeof identityProvider>['roles']): RoleSettings | undefined {
  if (source === 'members') return { source };
  if (groups) return { source: 'provider', groups };
  if (source) throw new BadSetting('DASHBOARD_ROLES: is required where DASHBOARD_ROLES_SOURCE is provider');
  return undefined;
}

export const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
