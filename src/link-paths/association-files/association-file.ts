import { tagOf } from '../../shared/entity-tag';
import type { NeighbourPaths } from './path-scope';

/**
 * Maximum size of an association file in bytes. Apple reads 128 KB, and 128,000 bytes are the smaller reading (Apple, "Support
 * Universal Links"). Google publishes no limit, and Android reads 1 MiB. The file for Android has Apple's limit too, because
 * anyone may fetch it at any rate (docs/decisions/0016-association-files-and-explanations.md).
 */
export const maxFileBytes = 128_000;

export interface AssociationFile {
  json: string;
  tag: string;
}

/** The format of the association file of one platform. */
export interface AssociationFileFormat<Credentials> {
  readonly name: string;
  /** The fields of an app that the file contains. */
  readonly fields: readonly (keyof Credentials)[];
  contentOf(apps: readonly (Credentials & Scoped)[]): unknown;
}

export interface Scoped {
  /** The paths that an app without own patterns leaves to the other apps; none if absent. */
  readonly neighbours?: NeighbourPaths;
  /** The paths whose links lead to the web, without the leading slash. */
  readonly web?: readonly string[];
}

/** @param apps the oldest first */
export function associationFile<Credentials>(
  format: AssociationFileFormat<Credentials>,
  apps: readonly (Credentials & Scoped)[],
): AssociationFile {
  const json = JSON.stringify(format.contentOf(apps));
  return { json, tag: tagOf(json) };
}

/** Returns the size without the paths of neighbours, which are left out of a file that they would push over the limit. */
export const fileBytes = <Credentials>(
  format: AssociationFileFormat<Credentials>,
  apps: readonly (Credentials & Scoped)[],
) => Buffer.byteLength(JSON.stringify(format.contentOf(apps)));
