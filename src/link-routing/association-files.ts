import { tagOf } from '../shared/entity-tag';
import { reservedParameters } from '../management-api/link-paths/reserved-parameters';
import type { VisitedProject } from './visited-link';

export interface AssociationFile {
  json: string;
  /** The value of `ETag`. */
  tag: string;
}

/**
 * Builds the file that opens links in iOS apps (Apple, "Supporting associated domains", `appIDs` and `components`).
 * URLs with `_via=page` are excluded, so that a visitor who leaves an interstitial page stays in the browser.
 */
export function appleAppSiteAssociation(project: VisitedProject): AssociationFile {
  const appIDs = [...new Set([...project.iosApps.values()].map((app) => `${app.teamId}.${app.bundleId}`))];
  const components = [{ '/': '*', '?': { [reservedParameters.via]: 'page' }, exclude: true }, { '/': '*' }];
  return toAssociationFile({ applinks: { details: appIDs.length > 0 ? [{ appIDs, components }] : [] } });
}

/** Builds the file that opens links in Android apps (Google Digital Asset Links, "statement list"). */
export function assetLinks(project: VisitedProject): AssociationFile {
  const signed = [...project.androidApps.values()].filter((app) => app.fingerprints.length > 0);
  return toAssociationFile(
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

function toAssociationFile(content: unknown): AssociationFile {
  const json = JSON.stringify(content);
  return { json, tag: tagOf(json) };
}
