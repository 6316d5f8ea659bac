import { browserVias } from '../../link-paths/association-files/asset-links';
import { opensPath } from '../../link-paths/association-files/path-scope';
import type { LinkOwnerships } from '../../link-paths/association-files/owned-paths';
import { appleAppSiteAssociation, assetLinks } from '../../link-routing/association-files/association-files';
import type { WebPlatforms } from '../../link-paths/rules/web-platforms';
import type { VisitedProject } from '../../link-routing/visited-link/visited-link';

export interface OpeningApp {
  platform: 'ios' | 'android';
  id: string;
  name: string;
}

/**
 * Returns the apps of the project that phones open for a path, by the rules of the association files. Android applies them from
 * version 15.
 * @param via the value of `_via`; visitors who continue on a page of this service stay in the browser
 * @param links the links of the project, if the files depend on them
 * @param web the platforms whose phones the rules of the link send to the web; null without rules
 */
export function openingApps(
  project: VisitedProject,
  path: string,
  via: string | null,
  links: LinkOwnerships,
  web: WebPlatforms | null = null,
): OpeningApp[] {
  const ios = via?.endsWith('page') || web?.ios ? [] : [...project.iosApps];
  const staysOnAndroid = via !== null && browserVias.includes(via);
  const android =
    staysOnAndroid || web?.android ? [] : [...project.androidApps].filter(([, app]) => app.shaFingerprints.length > 0);
  const iosScopes = appleAppSiteAssociation(project, links).neighbours;
  const androidScopes = assetLinks(project, links).neighbours;
  return [
    ...ios
      .filter(([id, app]) => opensPath(`/${path}`, app.paths, iosScopes.get(id)))
      .map(([id, { name }]): OpeningApp => ({ platform: 'ios', id, name })),
    ...android
      .filter(([id, app]) => opensPath(`/${path}`, app.paths, androidScopes.get(id)))
      .map(([id, { name }]): OpeningApp => ({ platform: 'android', id, name })),
  ];
}
