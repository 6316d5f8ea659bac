import { allItems, type PageQuery } from './all-pages.js';
import type { FileLink } from './apply-file.js';
import type { DesiredLink } from './apply-plan.js';
import type { Connection } from './connection.js';
import { UsageFailure } from './failures.js';

/** Replaces bundle ids and package names by the ids of apps. @throws UsageFailure if the project has no such app */
export async function resolveApps(
  service: Connection,
  links: ReadonlyMap<string, FileLink>,
): Promise<Map<string, DesiredLink>> {
  const all = [...links.values()];
  const iosApps = all.some((link) => link.ios_bundle_id !== undefined)
    ? await readIosApps(service)
    : new Map<string, string>();
  const androidApps = all.some((link) => link.android_package_name !== undefined)
    ? await readAndroidApps(service)
    : new Map<string, string>();
  const missing = new Set<string>();
  const find = (
    apps: ReadonlyMap<string, string>,
    kind: string,
    key: string | null | undefined,
  ): string | undefined => {
    if (typeof key !== 'string') return undefined;
    const id = apps.get(key);
    if (id === undefined)
      missing.add(`The project has no app with the ${kind} ${JSON.stringify(key)}; register it first.`);
    return id;
  };
  const resolved = new Map<string, DesiredLink>();
  for (const [externalId, { ios_bundle_id: bundleId, android_package_name: packageName, ...link }] of links) {
    const iosAppId = find(iosApps, 'bundle id', bundleId?.toLowerCase());
    const androidAppId = find(androidApps, 'package name', packageName);
    resolved.set(externalId, {
      ...link,
      ...(iosAppId !== undefined && { ios_app_id: iosAppId }),
      ...(androidAppId !== undefined && { android_app_id: androidAppId }),
    });
  }
  if (missing.size > 0) throw new UsageFailure([...missing].join('\n'));
  return resolved;
}

async function readIosApps({ client, path, send }: Connection): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const read = (query: PageQuery) =>
    send(() => client.GET('/projects/{projectId}/ios-apps', { params: { path, query } }));
  for await (const { id, bundle_id: bundleId } of allItems(read)) ids.set(bundleId.toLowerCase(), id);
  return ids;
}

async function readAndroidApps({ client, path, send }: Connection): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const read = (query: PageQuery) =>
    send(() => client.GET('/projects/{projectId}/android-apps', { params: { path, query } }));
  for await (const { id, package_name: packageName } of allItems(read)) ids.set(packageName, id);
  return ids;
}
