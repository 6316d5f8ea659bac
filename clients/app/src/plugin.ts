import type { ExpoConfig } from 'expo/config';

export interface PluginOptions {
  /** Link host, open host and custom domains, as in `createSignpost`. */
  hosts: string[];
  /** False for builds without a network. Then a misspelt host is found on a phone only. */
  check?: boolean;
}

/** Apple's reason for reading the app's settings, which storages of apps use. */
const privacyEntry = {
  NSPrivacyAccessedAPIType: 'NSPrivacyAccessedAPICategoryUserDefaults',
  NSPrivacyAccessedAPITypeReasons: ['CA92.1'],
};

const hostPattern = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/**
 * Adds the hosts to the associated domains and to verified intent filters, and the privacy entry. The configuration may be evaluated
 * several times, so entries that exist are left.
 * @throws Error if a host is malformed, or if the service does not know it (when the native projects are written)
 */
export default function withSignpost(config: ExpoConfig, options: PluginOptions): ExpoConfig {
  const { hosts, check = true } = options ?? {};
  if (!Array.isArray(hosts) || hosts.length === 0)
    throw new Error('signpost-client-app: `hosts` is missing. Name the link host and the open host of the project.');
  for (const host of hosts)
    if (typeof host !== 'string' || !hostPattern.test(host))
      throw new Error(
        `signpost-client-app: "${String(host)}" is no host. Write it in small letters, without https:// and path.`,
      );
  const { ios = {}, android = {} } = config;
  const domains = ios.associatedDomains ?? [];
  const added = hosts
    .map((host) => `applinks:${host}`)
    .filter((one) => !domains.some((domain) => domain.split('?')[0] === one));
  const filters = android.intentFilters ?? [];
  const filter = {
    action: 'VIEW',
    autoVerify: true,
    category: ['BROWSABLE', 'DEFAULT'],
    data: hosts.map((host) => ({ scheme: 'https', host })),
  };
  const hasFilter = filters.some((one) => JSON.stringify(one) === JSON.stringify(filter));
  const types = ios.privacyManifests?.NSPrivacyAccessedAPITypes ?? [];
  const hasEntry = types.some((one) => one.NSPrivacyAccessedAPIType === privacyEntry.NSPrivacyAccessedAPIType);
  const changed: ExpoConfig = {
    ...config,
    ios: {
      ...ios,
      associatedDomains: [...domains, ...added],
      privacyManifests: {
        ...ios.privacyManifests,
        NSPrivacyAccessedAPITypes: hasEntry ? types : [...types, privacyEntry],
      },
    },
    android: { ...android, intentFilters: hasFilter ? filters : [...filters, filter] },
  };
  return check ? withCheck(withCheck(changed, 'ios', 'entitlements', hosts), 'android', 'manifest', hosts) : changed;
}

type Mod = (mod: unknown) => unknown;
interface Mods {
  ios?: Record<string, Mod>;
  android?: Record<string, Mod>;
}

const files = { ios: 'apple-app-site-association', android: 'assetlinks.json' };

/** Adds a mod as `withMod` of `expo/config-plugins` does, whose import differs between versions of Expo. */
function withCheck(
  config: ExpoConfig,
  platform: 'ios' | 'android',
  name: string,
  hosts: readonly string[],
): ExpoConfig {
  const { mods } = config as { mods?: Mods | null };
  const next = mods?.[platform]?.[name];
  const checked: Mod = async (mod) => {
    await checkHosts(hosts, files[platform]);
    return next ? next(mod) : mod;
  };
  return { ...config, mods: { ...mods, [platform]: { ...mods?.[platform], [name]: checked } } } as ExpoConfig;
}

/** Requests the association file of each host, as phones do. */
async function checkHosts(hosts: readonly string[], file: string): Promise<void> {
  for (const host of hosts) {
    const url = `https://${host}/.well-known/${file}`;
    const status = await fetch(url).then(
      (response) => response.status,
      (error: unknown) => (error as Error).message,
    );
    if (status !== 200)
      throw new Error(
        `signpost-client-app: the service does not know the host ${host}, because ${url} answers ${status}. ` +
          'Compare `hosts` with the project, or set `check: false` for a build without a network.',
      );
  }
}
