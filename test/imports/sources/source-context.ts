import type { SourceContext } from '../../../src/imports/sources/import-source';

/** The project of docs/moving-in/README.md. */
export const context: SourceContext = {
  iosApps: new Map([['com.example.shop', 'ios-app']]),
  androidApps: new Map([['com.example.shop', 'android-app']]),
  templates: new Set<string>(),
  hosts: new Set(['go.example.com']),
  allowed: { allowedSchemes: [], destinationHosts: [] },
  options: {},
};
