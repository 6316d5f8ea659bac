import { matchesPattern } from '../../link-paths/association-files/app-paths';
import type { Component } from '../../link-paths/association-files/path-scope';

/** An app in an association file. */
export interface NamedApp {
  /** `TEAMID12345.com.example.shop`, or the name of the package. */
  id: string;
  /** Whether the rules of the file open the app for the path. */
  opens: boolean;
}

interface AppleFile {
  applinks: { details: { appIDs: string[]; components: Component[] }[] };
}

type AndroidFile = {
  target: { package_name: string };
  relation_extensions?: Record<string, { dynamic_app_link_components: Component[] }>;
}[];

/**
 * Returns the apps that the file names, in its order, as a phone reads it. Parsing the largest file costs about 1 ms, so that no visit
 * calls it.
 *
 * @param json the file of this service
 * @param path the path with its leading slash, in an address whose `_via` keeps nobody in the browser
 */
export function namedApps(platform: 'ios' | 'android', json: string, path: string): NamedApp[] {
  if (platform === 'ios') {
    const { applinks } = JSON.parse(json) as AppleFile;
    return applinks.details.flatMap(({ appIDs, components }) =>
      appIDs.map((id) => ({ id, opens: opensPath(components, path) })),
    );
  }
  return (JSON.parse(json) as AndroidFile).flatMap(({ target, relation_extensions }) => {
    const [rules] = Object.values(relation_extensions ?? {});
    // An app without rules only shares its credentials.
    return rules ? [{ id: target.package_name, opens: opensPath(rules.dynamic_app_link_components, path) }] : [];
  });
}

/** Returns whether the first component that matches includes the path. Those with a query are about `_via`. */
function opensPath(components: readonly Component[], path: string): boolean {
  const first = components.find((one) => one['?'] === undefined && matchesPattern(one['/'] ?? '*', path));
  return first !== undefined && first.exclude !== true;
}
