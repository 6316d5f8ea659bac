import type { Properties } from '../../shared/field-table';
import type { AppFields } from '../apps/app';
import type { releaseFields } from './release-fields';

type Fields = Properties<typeof releaseFields.ios> & Properties<typeof releaseFields.android>;

/** Fields of a release. Those of the other platform are absent. */
export type ReleaseChanges = Partial<Fields>;

export interface NewRelease extends ReleaseChanges {
  readonly id: string;
  readonly projectId: string;
  readonly appId: string;
}

/** A version of an app that people have installed, with what it was built to open. */
export interface AppRelease extends NewRelease {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Returns the identifiers that a new release has unless the caller sends others. */
export function identifiersOf(app: object): object {
  const { bundleId, packageName, shaFingerprints = [] } = app as Partial<AppFields<'ios'> & AppFields<'android'>>;
  if (bundleId !== undefined) return { bundleId };
  return { packageName, ...(shaFingerprints.length > 0 && { shaFingerprints }) };
}
