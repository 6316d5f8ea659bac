import type { Problem } from '../../shared/problem';
import { appleAppSiteAssociationFormat } from '../../link-paths/association-files/apple-app-site-association';
import { assetLinksFormat } from '../../link-paths/association-files/asset-links';
import type { AssociationFileFormat } from '../../link-paths/association-files/association-file';
import { type AppChanges, type AppFields, type AppPlatform, teamIdProblems } from './app';

interface PlatformRules<P extends AppPlatform> {
  /** The name of the resource in messages. */
  readonly appName: 'iOS app' | 'Android app';
  readonly schemaName: string;
  readonly exampleId: string;
  /** The field that is unique in a project. */
  readonly identifier: string;
  /** The name of the association file in the API description. */
  readonly fileName: string;
  /** The error of an app that the project has already. */
  readonly duplicate: 'BUNDLE_ID_EXISTS' | 'PACKAGE_NAME_EXISTS';
  readonly file: AssociationFileFormat<AppFields<P>>;
  /** Returns the problems of changed fields that depend on other fields. */
  problemsAcrossFields(app: AppFields<P>, changes: AppChanges<P>): Problem[];
}

/** Differences between the apps of the platforms, beside their fields and tables. */
export const appPlatforms: { readonly [P in AppPlatform]: PlatformRules<P> } = {
  ios: {
    appName: 'iOS app',
    schemaName: 'IosApp',
    exampleId: '0198c0de-7e57-7000-8000-0000000000b1',
    identifier: 'bundle_id',
    fileName: 'Apple association file',
    duplicate: 'BUNDLE_ID_EXISTS',
    file: appleAppSiteAssociationFormat,
    problemsAcrossFields: teamIdProblems,
  },
  android: {
    appName: 'Android app',
    schemaName: 'AndroidApp',
    exampleId: '0198c0de-7e57-7000-8000-0000000000b2',
    identifier: 'package_name',
    fileName: 'Android asset-links file',
    duplicate: 'PACKAGE_NAME_EXISTS',
    file: assetLinksFormat,
    problemsAcrossFields: () => [],
  },
};
