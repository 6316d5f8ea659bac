import { assetLinksFormat } from '../management-api/android-apps/asset-links';
import { appleAppSiteAssociationFormat } from '../management-api/ios-apps/apple-app-site-association';
import { associationFile, type AssociationFile } from '../management-api/mobile-apps/association-file';
import type { VisitedProject } from './visited-link';

export type { AssociationFile };

export const appleAppSiteAssociation = ({ iosApps }: Pick<VisitedProject, 'iosApps'>): AssociationFile =>
  associationFile(appleAppSiteAssociationFormat, [...iosApps.values()]);

export const assetLinks = ({ androidApps }: Pick<VisitedProject, 'androidApps'>): AssociationFile =>
  associationFile(
    assetLinksFormat,
    [...androidApps.values()].map((app) => ({ packageName: app.packageName, shaFingerprints: [...app.fingerprints] })),
  );
