import type { AssociationFileFormat } from './association-file';
import { componentsOf, type Component } from './path-scope';

/** The fields of an iOS app that the file contains. */
export interface IosCredentials {
  readonly teamId: string;
  readonly bundleId: string;
  readonly appClipBundleId: string | null;
  readonly paths: readonly string[] | null;
  readonly sharedCredentials: boolean;
}

/**
 * Describes the file that opens links in iOS apps (Apple, "Supporting associated domains": `appIDs`, `components`,
 * `webcredentials`, `appclips`). `*page` excludes all values of `_via` that continue in the browser.
 */
export const appleAppSiteAssociationFormat: AssociationFileFormat<IosCredentials> = {
  name: 'apple-app-site-association',
  fields: ['teamId', 'bundleId', 'appClipBundleId', 'paths', 'sharedCredentials'],
  contentOf(apps) {
    // Apps with the same components share an entry, which keeps the file small.
    const details = new Map<string, { appIDs: string[]; components: Component[] }>();
    for (const app of apps) {
      if (app.paths?.length === 0) continue;
      const components = componentsOf(['*page'], app.paths, app.neighbours, app.web);
      const key = JSON.stringify(components);
      const entry = details.get(key);
      const appId = appIdOf(app);
      if (!entry) details.set(key, { appIDs: [appId], components });
      else if (!entry.appIDs.includes(appId)) entry.appIDs.push(appId);
    }
    const credentials = unique(apps.filter((app) => app.sharedCredentials).map(appIdOf));
    const clips = unique(
      apps.flatMap(({ teamId, appClipBundleId }) => (appClipBundleId === null ? [] : `${teamId}.${appClipBundleId}`)),
    );
    return {
      applinks: { details: [...details.values()] },
      ...(credentials.length > 0 && { webcredentials: { apps: credentials } }),
      ...(clips.length > 0 && { appclips: { apps: clips } }),
    };
  },
};

/** Returns the application identifier, as the file names the app. */
export const appIdOf = ({ teamId, bundleId }: IosCredentials): string => `${teamId}.${bundleId}`;

const unique = (ids: string[]): string[] => [...new Set(ids)];
