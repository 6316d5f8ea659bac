import type { AssociationFileFormat } from './association-file';
import { componentsOf } from './path-scope';

/** The fields of an Android app that the file contains. */
export interface AndroidCredentials {
  readonly packageName: string;
  readonly shaFingerprints: readonly string[];
  readonly paths: readonly string[] | null;
  readonly sharedCredentials: boolean;
}

const handleUrls = 'delegate_permission/common.handle_all_urls';
const getCredentials = 'delegate_permission/common.get_login_creds';

/** The values of `_via` of visitors who chose the browser. No Android device sends those of an iPad. */
export const browserVias: readonly string[] = ['page', 'browser-page'];

/**
 * Describes the file that opens links in Android apps (Google Digital Asset Links, "statement list"). Android 15 applies the
 * components (Android Developers, "Configure website associations and dynamic rules"), and older versions ignore them.
 */
export const assetLinksFormat: AssociationFileFormat<AndroidCredentials> = {
  name: 'assetlinks.json',
  fields: ['packageName', 'shaFingerprints', 'paths', 'sharedCredentials'],
  contentOf: (apps) =>
    apps
      .filter((app) => app.shaFingerprints.length > 0)
      .map((app) => {
        // An empty list of components would make Android ignore all of them.
        const opensLinks = app.paths?.length !== 0;
        const relation = [...(opensLinks ? [handleUrls] : []), ...(app.sharedCredentials ? [getCredentials] : [])];
        return {
          relation,
          target: {
            namespace: 'android_app',
            package_name: app.packageName,
            sha256_cert_fingerprints: app.shaFingerprints,
          },
          ...(opensLinks && {
            relation_extensions: {
              [handleUrls]: {
                dynamic_app_link_components: componentsOf(browserVias, app.paths, app.neighbours, app.web),
              },
            },
          }),
        };
      })
      .filter(({ relation }) => relation.length > 0),
};
