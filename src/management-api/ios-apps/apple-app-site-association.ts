import { reservedParameters } from '../link-paths/reserved-parameters';
import type { AssociationFileFormat } from '../mobile-apps/association-file';
import type { IosApp } from './ios-app';

/**
 * Describes the file that opens links in iOS apps (Apple, "Supporting associated domains", `appIDs` and `components`).
 * URLs with `_via=page` are excluded, so that a visitor who leaves an interstitial page stays in the browser.
 */
export const appleAppSiteAssociationFormat: AssociationFileFormat<Pick<IosApp, 'teamId' | 'bundleId'>> = {
  name: 'apple-app-site-association',
  fields: ['teamId', 'bundleId'],
  contentOf(apps) {
    const appIDs = [...new Set(apps.map((app) => `${app.teamId}.${app.bundleId}`))];
    const components = [{ '/': '*', '?': { [reservedParameters.via]: 'page' }, exclude: true }, { '/': '*' }];
    return { applinks: { details: appIDs.length > 0 ? [{ appIDs, components }] : [] } };
  },
};
