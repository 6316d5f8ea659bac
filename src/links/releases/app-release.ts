import type { Properties } from '../../shared/field-table';
import type { AppFields, AppPlatform } from '../apps/app';
import type { releaseFields } from './release-fields';

interface PropertiesByPlatform {
  ios: Properties<typeof releaseFields.ios>;
  android: Properties<typeof releaseFields.android>;
}

export type ReleaseChanges<P extends AppPlatform> = Partial<PropertiesByPlatform[P]>;
export type NewRelease<P extends AppPlatform> = PropertiesByPlatform[P] & {
  readonly id: string;
  readonly projectId: string;
  readonly appId: string;
};

/** A version of an app that people have installed, with what it was built to open. */
export type AppRelease<P extends AppPlatform> = NewRelease<P> & { readonly createdAt: Date; readonly updatedAt: Date };

/** Returns the identifiers that a new release has unless the caller sends others. */
export function identifiersOf(app: object): object {
  const { bundleId, packageName, shaFingerprints = [] } = app as Partial<AppFields<'ios'> & AppFields<'android'>>;
  if (bundleId !== undefined) return { bundleId };
  return { packageName, ...(shaFingerprints.length > 0 && { shaFingerprints }) };
}
