import { tagOf } from '../shared/entity-tag';
import { reservedParameters } from '../management-api/link-paths/reserved-parameters';
import type { VisitedProject } from './visited-link';

export interface AssociationFile {
  json: string;
  /** As in `ETag`. */
  tag: string;
}

/**
 * What opens links in the project's iOS apps (Apple, "Supporting associated domains": the form with `appIDs` and
 * `components`). A visitor who goes on from one of our pages is not taken back into the app.
 */
export function appleAppSiteAssociation(project: VisitedProject): AssociationFile {
  const appIDs = [...new Set([...project.iosApps.values()].map((app) => `${app.teamId}.${app.bundleId}`))];
  const components = [{ '/': '*', '?': { [reservedParameters.via]: 'page' }, exclude: true }, { '/': '*' }];
  return file({ applinks: { details: appIDs.length > 0 ? [{ appIDs, components }] : [] } });
}

/** What opens links in the project's Android apps (Google Digital Asset Links, "statement list"). */
export function assetLinks(project: VisitedProject): AssociationFile {
  const signed = [...project.androidApps.values()].filter((app) => app.fingerprints.length > 0);
  return file(
    signed.map((app) => ({
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: app.packageName,
        sha256_cert_fingerprints: app.fingerprints,
      },
    })),
  );
}

function file(content: unknown): AssociationFile {
  const json = JSON.stringify(content);
  return { json, tag: tagOf(json) };
}
