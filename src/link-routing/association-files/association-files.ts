import { assetLinksFormat } from '../../link-paths/association-files/asset-links';
import { appleAppSiteAssociationFormat } from '../../link-paths/association-files/apple-app-site-association';
import {
  associationFile,
  type AssociationFile,
  type AssociationFileFormat,
  maxFileBytes,
} from '../../link-paths/association-files/association-file';
import type { LinkOwnerships } from '../../link-paths/association-files/owned-paths';
import { noWebPaths, type WebPaths } from '../../link-paths/association-files/web-paths';
import { dependsOnLinks, neighbourPaths, type OwnedPath } from './neighbour-paths';
import type { VisitedProject } from '../visited-link/visited-link';

interface FileApp {
  id: string;
  paths: readonly string[] | null;
}

/** An association file with the paths that each app without own paths leaves to the others. */
export interface ScopedFile {
  file: AssociationFile;
  /** The links are too many, or their paths do not fit into the file. Links may open another app of the project. */
  unscoped: boolean;
}

type Apps = Pick<VisitedProject, 'iosApps' | 'androidApps'>;

/** Returns whether the files depend on the owners of all links. Otherwise they depend on the apps and on links with rules alone. */
export const filesDependOnLinks = (project: Apps): boolean =>
  dependsOnLinks([...project.iosApps.values()]) || dependsOnLinks([...project.androidApps.values()]);

export function appleAppSiteAssociation(
  { iosApps }: Pick<Apps, 'iosApps'>,
  links: LinkOwnerships = [],
  { ios: web }: WebPaths = noWebPaths,
): ScopedFile {
  const apps = [...iosApps].map(([id, app]) => ({ id, ...app }));
  const owned = links?.map(({ path, iosAppId }) => ({ path, appId: iosAppId }));
  return webScopedFile(appleAppSiteAssociationFormat, apps, owned ?? null, web);
}

export function assetLinks(
  { androidApps }: Pick<Apps, 'androidApps'>,
  links: LinkOwnerships = [],
  { android: web }: WebPaths = noWebPaths,
): ScopedFile {
  const apps = [...androidApps].map(([id, app]) => ({ id, ...app }));
  const owned = links?.map(({ path, androidAppId }) => ({ path, appId: androidAppId }));
  return webScopedFile(assetLinksFormat, apps, owned ?? null, web);
}

/** Builds the file without the paths that lead to the web. They stay in a file that their list would push over the limit. */
function webScopedFile<Credentials>(
  format: AssociationFileFormat<Credentials>,
  apps: readonly (Credentials & FileApp)[],
  links: readonly OwnedPath[] | null,
  web: readonly string[],
): ScopedFile {
  if (web.length === 0) return scopedFile(format, apps, links);
  const scoped = scopedFile(
    format,
    apps.map((app) => ({ ...app, web })),
    links,
  );
  if (Buffer.byteLength(scoped.file.json) <= maxFileBytes) return scoped;
  return { ...scopedFile(format, apps, links), unscoped: true };
}

/** Builds the file with as many derived paths as fit: of links and patterns, of patterns alone, or none. */
function scopedFile<Credentials>(
  format: AssociationFileFormat<Credentials>,
  apps: readonly (Credentials & FileApp)[],
  links: readonly OwnedPath[] | null,
): ScopedFile {
  if (!dependsOnLinks(apps)) return { file: associationFile(format, apps), unscoped: false };
  for (const known of links === null ? [null] : [links, null]) {
    // This bounds the work. Apps that share an entry of the file count separately.
    const neighbours = neighbourPaths(apps, known, maxFileBytes);
    if (!neighbours) continue;
    const scoped = apps.map((app) => ({ ...app, neighbours: neighbours.get(app.id) }));
    const hasForeign = [...neighbours.values()].some(({ foreign }) => foreign.length > 0);
    const file = associationFile(format, hasForeign ? scoped : apps);
    if (!hasForeign || Buffer.byteLength(file.json) <= maxFileBytes) return { file, unscoped: known === null };
  }
  return { file: associationFile(format, apps), unscoped: true };
}
