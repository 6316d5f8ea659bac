import type { AssociationFileFormat } from '../mobile-apps/association-file';
import type { AndroidApp } from './android-app';

/** Describes the file that opens links in Android apps (Google Digital Asset Links, "statement list"). */
export const assetLinksFormat: AssociationFileFormat<Pick<AndroidApp, 'packageName' | 'shaFingerprints'>> = {
  name: 'assetlinks.json',
  fields: ['packageName', 'shaFingerprints'],
  contentOf: (apps) =>
    apps
      .filter((app) => app.shaFingerprints.length > 0)
      .map((app) => ({
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: app.packageName,
          sha256_cert_fingerprints: app.shaFingerprints,
        },
      })),
};
