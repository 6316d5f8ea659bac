import { z } from 'zod';
import { BadSetting } from '../../shared/bad-setting';
import { parseUrl } from '../../shared/url';
import { type DashboardSettings, type SigningAlgorithm, signingAlgorithms } from './dashboard-settings';

export const keySetUrl = z.string().transform((value, context) => {
  const url = parseUrl(value);
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return url;
  context.addIssue({ code: 'custom', message: 'must be a URL such as https://id.example.com/.well-known/jwks.json' });
  return z.NEVER;
});

/** What stands in a token: an issuer, an audience, the name of a claim. */
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

/** The variables as they were read; those that were not set are absent. */
interface Given {
  DASHBOARD_JWKS_URL?: URL | undefined;
  DASHBOARD_JWKS_FILE?: string | undefined;
  DASHBOARD_ISSUER?: string | undefined;
  DASHBOARD_AUDIENCE?: string | undefined;
  DASHBOARD_ALGORITHMS?: SigningAlgorithm[] | undefined;
  DASHBOARD_CLOCK_SKEW_SECONDS?: number | undefined;
  DASHBOARD_USER_CLAIM?: string | undefined;
  DASHBOARD_ACCOUNT_CLAIM?: string | undefined;
  DASHBOARD_EMAIL_CLAIM?: string | undefined;
}

/**
 * All that is needed to recognise signed-in people, or nothing of it.
 * @throws BadSetting for the variable that is missing where others of its kind are set
 */
export function dashboardSettings(given: Given, production: boolean): DashboardSettings | undefined {
  const [set] = Object.entries(given).filter(([name, value]) => name.startsWith('DASHBOARD_') && value !== undefined);
  if (!set) return undefined;
  const needed = <T>(name: string, value: T | undefined, or = ''): T => {
    if (value === undefined) throw new BadSetting(`${name}: is required${or} where ${set[0]} is set`);
    return value;
  };
  const { DASHBOARD_JWKS_URL: url, DASHBOARD_JWKS_FILE: file } = given;
  if (url && file !== undefined) throw new BadSetting('DASHBOARD_JWKS_FILE: must not be set beside DASHBOARD_JWKS_URL');
  if (production && url?.protocol === 'http:' && !isLoopback(url))
    throw new BadSetting('DASHBOARD_JWKS_URL: must be https: whoever can change the answer can sign in as anybody');
  return {
    keySet: file === undefined ? { url: needed('DASHBOARD_JWKS_URL', url, ' (or DASHBOARD_JWKS_FILE)') } : { file },
    issuer: needed('DASHBOARD_ISSUER', given.DASHBOARD_ISSUER),
    audience: needed('DASHBOARD_AUDIENCE', given.DASHBOARD_AUDIENCE),
    algorithms: given.DASHBOARD_ALGORITHMS ?? ['RS256', 'PS256', 'ES256', 'EdDSA'],
    clockSkew: given.DASHBOARD_CLOCK_SKEW_SECONDS ?? 30,
    claims: {
      user: given.DASHBOARD_USER_CLAIM ?? 'sub',
      account: given.DASHBOARD_ACCOUNT_CLAIM ?? 'account_id',
      email: given.DASHBOARD_EMAIL_CLAIM ?? 'email',
    },
  };
}

const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
