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
}

/** Reads `app.json` of Expo: `ios.associatedDomains`, and `android.intentFilters` with `autoVerify`. */
export function buildOfExpo(text: string, file: string): AppBuild[] {
  let app: ExpoApp;
  try {
    const content = JSON.parse(text) as ExpoApp & { expo?: ExpoApp };
    app = content.expo ?? content;
  } catch {
    throw new UsageFailure(`${file} is no JSON.`);
  }
  const { ios, android } = app;
  const data = (android?.intentFilters ?? [])
    .filter(({ autoVerify }) => autoVerify === true)
    .flatMap((filter) => filter.data ?? []);
  return [
    {
      platform: 'ios',
      version: ios?.version ?? app.version ?? null,
      identifier: ios?.bundleIdentifier ?? null,
      hosts: (ios?.associatedDomains ?? []).flatMap(hostOfDomain),
      paths: null,
    },
    {
      platform: 'android',
      version: android?.version ?? app.version ?? null,
      identifier: android?.package ?? null,
      hosts: data.flatMap(({ host }) => host ?? []),
      paths: patternsOf(data),
    },
  ];
}
