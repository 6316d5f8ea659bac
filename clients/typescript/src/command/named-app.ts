import { allItems, type PageQuery } from './all-pages.js';
import type { AppBuild } from './app-build-record.js';
import { isUuid, type Connection } from './connection.js';
import { UsageFailure } from './failures.js';

export interface NamedApp {
  id: string;
  name: string;
  bundle_id?: string;
  package_name?: string;
  sha_fingerprints?: string[];
}

/**
 * Finds the app of a build in the project.
 * @param name its id or identifier; undefined for the identifier of the build
 * @returns null if the project has no such app
 * @throws UsageFailure if neither the caller nor the build names one
 */
export async function findApp(
  { client, path, send }: Connection,
  { platform, identifier }: AppBuild,
  name: string | undefined,
): Promise<NamedApp | null> {
  const key = name ?? identifier;
  if (key === null)
    throw new UsageFailure(`The files name no identifier of the ${platform} app; add --app with its id or identifier.`);
  const read = (query: PageQuery) =>
    platform === 'ios'
      ? send(() => client.GET('/projects/{projectId}/ios-apps', { params: { path, query } }))
      : send(() => client.GET('/projects/{projectId}/android-apps', { params: { path, query } }));
  const fold = (text: string) => (platform === 'ios' || isUuid(text) ? text.toLowerCase() : text);
  for await (const app of allItems<NamedApp>(read))
    if ([app.id, app.bundle_id ?? app.package_name ?? ''].some((one) => fold(one) === fold(key))) return app;
  return null;
}

/**
 * Returns the certificates that sign an `.apk` but are not those of the app. With Play App Signing, the `.apk` has the upload key, and
 * phones get another one from Google.
 */
export const foreignCertificates = ({ fingerprints = [] }: AppBuild, { sha_fingerprints: known = [] }: NamedApp) =>
  fingerprints.filter((one) => !known.includes(one));

export const foreignCertificateNote = (fingerprint: string): string =>
  `The .apk is signed by ${fingerprint}, which the app in the project does not have. Add it, unless a store signs the app again.`;
