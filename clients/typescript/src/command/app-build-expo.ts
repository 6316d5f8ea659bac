import type { AppBuild } from './app-build-record.js';
import { type IntentData, patternsOf } from './app-build-android.js';
import { hostOfDomain } from './app-build-ios.js';
import { UsageFailure } from './failures.js';

interface ExpoApp {
  version?: string;
  ios?: { version?: string; bundleIdentifier?: string; associatedDomains?: string[] };
  android?: {
    version?: string;
    package?: string;
    intentFilters?: { autoVerify?: boolean; data?: IntentData | IntentData[] }[];
  };
  plugins?: (string | [name: string, options?: { hosts?: string[] }])[];
}

/** Adds its hosts to both platforms when Expo writes the native projects. */
const pluginName = 'signpost-client-app';

/** Reads `app.json` of Expo: `ios.associatedDomains`, `android.intentFilters` with `autoVerify`, and the hosts of the SDK's plugin. */
export function buildOfExpo(text: string, file: string): AppBuild[] {
  let app: ExpoApp;
  try {
    const content = JSON.parse(text) as ExpoApp & { expo?: ExpoApp };
    app = content.expo ?? content;
  } catch {
    throw new UsageFailure(`${file} is no JSON.`);
  }
  const { ios, android, plugins = [] } = app;
  const added = plugins.flatMap((plugin) =>
    Array.isArray(plugin) && plugin[0] === pluginName ? (plugin[1]?.hosts ?? []) : [],
  );
  const verified = (android?.intentFilters ?? []).filter(({ autoVerify }) => autoVerify === true);
  const filters = [
    ...verified.map((filter) => [filter.data ?? []].flat()),
    ...(android ? [added.map((host): IntentData => ({ host }))] : []),
  ];
  return [
    {
      platform: 'ios',
      version: ios?.version ?? app.version ?? null,
      identifier: ios?.bundleIdentifier ?? null,
      hosts: unique([...(ios?.associatedDomains ?? []).flatMap(hostOfDomain), ...(ios ? added : [])]),
      paths: null,
    },
    {
      platform: 'android',
      version: android?.version ?? app.version ?? null,
      identifier: android?.package ?? null,
      hosts: unique(filters.flat().flatMap(({ host }) => host ?? [])),
      paths: patternsOf(filters),
    },
  ];
}

const unique = (hosts: string[]): string[] => [...new Set(hosts)];
