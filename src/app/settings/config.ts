import type { ConsoleProvider } from '../../management-api/console/console-settings';
import type { IdentityProviderSettings } from '../../tenancy/identity-provider/identity-provider-settings';
import { BadSetting } from '../../shared/bad-setting';
import { parseUrl } from '../../shared/url';
import { settings } from './config-variables';
import { identityProviderSettings, isLoopback, roleSettings } from './identity-provider-variables';
import { readSettings, type Values } from './setting';

/** The settings of the service, read from the environment once, at the start. docs/settings.md documents them for operators. */
export type Config = ReturnType<typeof readConfig>;

type AllValues = Values<typeof settings>;

/** A random secret of 32 characters has more different ones, also in hexadecimal. */
const minPepperCharacters = 10;

const developmentPepper = 'development-pepper-that-protects-nothing';

/** Returns the environment of this process with other values, for a child process. */
export const environmentWith = (values: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...process.env, ...values });

/** @throws BadSetting for the first variable that is invalid or missing */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const all = readSettings(settings, environment);
  const { environment: name, allowEmbeddedDatabase: _, consoleClient, ...values } = all;
  const { port, metricsPort, linkTraffic } = values;
  if (linkTraffic.countryHeader !== undefined && linkTraffic.trustedProxies.length === 0)
    throw new BadSetting('COUNTRY_HEADER: requires TRUSTED_PROXIES');
  if (metricsPort === port && port !== 0)
    throw new BadSetting(`METRICS_PORT: must differ from PORT, which is ${port} too`);
  // Any other environment, such as `staging`, has production's requirements.
  const production = !['development', 'test'].includes(name);
  if (production) refuseDevelopmentSettings(all);
  if (values.primaryDatabaseUrl !== undefined) refuseOutsideRegion(all);
  const identityProvider = identityProviderSettings(environment, values.identityProvider, production);
  return {
    ...values,
    production,
    apiBaseUrl: values.apiBaseUrl ?? new URL(`http://localhost:${port}`),
    linkBaseUrl: values.linkBaseUrl ?? new URL(`http://localhost:${port}`),
    apiKeyPepper: values.apiKeyPepper ?? developmentPepper,
    /** Sign-in of the console at the identity provider; null if it takes API keys only. */
    consoleProvider: consoleProvider(consoleClient, identityProvider, production),
    /** Undefined if the management API takes API keys only. */
    identityProvider,
    /** The source of the roles of people; undefined if everybody is an owner. */
    roles: roleSettings(values.identityProvider.roles),
  };
}

/**
 * @throws BadSetting if the provider is unknown, or its issuer is no URL, because browsers find its endpoints there. In production
 *   the URL needs https, except on loopback addresses, because browsers send codes and tokens there.
 */
function consoleProvider(
  { clientId, scope }: AllValues['consoleClient'],
  provider: IdentityProviderSettings | undefined,
  production: boolean,
): ConsoleProvider | null {
  if (clientId === undefined) return null;
  if (!provider)
    throw new BadSetting(
      'CONSOLE_CLIENT_ID: requires DASHBOARD_ISSUER and the other settings of the identity provider',
    );
  const issuer = parseUrl(provider.issuer);
  if (!issuer || !['http:', 'https:'].includes(issuer.protocol))
    throw new BadSetting('CONSOLE_CLIENT_ID: requires a DASHBOARD_ISSUER that is an http or https URL');
  if (production && issuer.protocol === 'http:' && !isLoopback(issuer))
    throw new BadSetting(
      'CONSOLE_CLIENT_ID: requires a DASHBOARD_ISSUER with https, unless NODE_ENV is development or test',
    );
  const keySet = 'url' in provider.keySet ? [provider.keySet.url.origin] : [];
  const origins = [...new Set([issuer.origin, ...keySet])];
  return { issuer: provider.issuer, clientId, scope, audience: provider.audience, origins };
}

/** @throws BadSetting because only visits are served from the database of a region */
function refuseOutsideRegion({ role, databaseUrl, clickHouse }: AllValues): void {
  if (role !== 'traffic')
    throw new BadSetting('PRIMARY_DATABASE_URL: requires ROLE=traffic, because a region serves link traffic only');
  if (databaseUrl === undefined)
    throw new BadSetting('PRIMARY_DATABASE_URL: requires DATABASE_URL, the database of the region');
  if (clickHouse.mode !== 'only')
    throw new BadSetting(
      'CLICKHOUSE_MODE: a region writes one store; unset it, or unset CLICKHOUSE_URL until clicks have moved',
    );
}

function refuseDevelopmentSettings({ apiKeyPepper: pepper, databaseUrl, allowEmbeddedDatabase }: AllValues): void {
  if (!pepper) throw new BadSetting('API_KEY_PEPPER: is required unless NODE_ENV is development or test');
  if (pepper === developmentPepper)
    throw new BadSetting('API_KEY_PEPPER: the development value protects nothing; set a random secret');
  if (pepper.length < 32) throw new BadSetting('API_KEY_PEPPER: must have at least 32 characters');
  if (pepper.trim() !== pepper) throw new BadSetting('API_KEY_PEPPER: must not begin or end with white space');
  if (new Set(pepper).size < minPepperCharacters)
    throw new BadSetting(`API_KEY_PEPPER: must have at least ${minPepperCharacters} different characters`);
  if (!databaseUrl && !allowEmbeddedDatabase)
    throw new BadSetting(
      'DATABASE_URL: is required unless NODE_ENV is development or test (or set ALLOW_EMBEDDED_DATABASE=true to run on the embedded one)',
    );
}
