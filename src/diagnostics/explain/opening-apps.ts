import { appIdOf } from '../../link-paths/association-files/apple-app-site-association';
import { browserVias } from '../../link-paths/association-files/asset-links';
import type { LinkOwnerships } from '../../link-paths/association-files/owned-paths';
import {
  appleAppSiteAssociation,
  assetLinks,
  type ScopedFile,
} from '../../link-routing/association-files/association-files';
import { namedApps } from '../../link-routing/association-files/named-apps';
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
  const opened = (platform: 'ios' | 'android', { file }: ScopedFile) =>
    namedApps(platform, file.json, `/${path}`).flatMap(({ id, opens }) => (opens ? id : []));
  const ios = web?.ios || via?.endsWith('page') ? [] : opened('ios', appleAppSiteAssociation(project, links));
  const staysOnAndroid = via !== null && browserVias.includes(via);
  const android = staysOnAndroid || web?.android ? [] : opened('android', assetLinks(project, links));
  return [
    ...[...project.iosApps]
      .filter(([, app]) => ios.includes(appIdOf(app)))
      .map(([id, { name }]): OpeningApp => ({ platform: 'ios', id, name })),
    ...[...project.androidApps]
      .filter(([, { packageName }]) => android.includes(packageName))
      .map(([id, { name }]): OpeningApp => ({ platform: 'android', id, name })),
  ];
}
