import type { OpenedLink } from '../clicks/recording/click';
import type { AssociationFile } from '../link-routing/association-files';
import type { VisitedProject } from '../link-routing/visited-link';
import type { Site } from './site';

/** A project in the cache of link traffic: the read model of routing, and its association files as they are sent. */
export interface CachedProject extends VisitedProject {
  /** The site under which it is cached. */
  readonly site: Site;
  /** Differs each time that the project is read, so that pages of an earlier state are not reused. */
  readonly version: number;
  /** The link of clicks on long links. */
  readonly longLinks: OpenedLink;
  /** Null if a file depends on the links; then `AssociationFileCache` has them. */
  readonly files: SentFiles | null;
}

export interface SentFiles {
  readonly appleFile: SentFile;
  readonly androidFile: SentFile;
}

export interface SentFile {
  content: Buffer;
  /** The value of `ETag`. */
  tag: string;
}

export function toSentFile({ json, tag }: AssociationFile): SentFile {
  // A slice of Node's shared pool would keep other contents of the pool alive.
  const content = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  content.write(json);
  return { content, tag };
}

let versions = 0;

export const nextVersion = (): number => ++versions;
