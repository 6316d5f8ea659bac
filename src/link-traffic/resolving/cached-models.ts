import type { OpenedLink } from '../../clicks/recording/click';
import type { AssociationFile } from '../../link-paths/association-files/association-file';
import type {
  VisitedLink,
  VisitedProject,
  VisitedRule,
  VisitedVariant,
} from '../../link-routing/visited-link/visited-link';
import type { Site } from './site';

/** A link in the cache of link traffic: the read model of routing, and the slot of the click batch. */
export interface CachedLink extends VisitedLink, OpenedLink {
  /** Differs each time that the link is read, so that pages of an earlier state are not reused. */
  readonly version: number;
  /** Null without a template. */
  readonly templateId: string | null;
  readonly rules: readonly VisitedRule<CachedLink>[] | null;
  readonly variants: readonly VisitedVariant<CachedLink>[] | null;
  /** Whether the link or one of its rules has variants. */
  readonly isSplit: boolean;
}

const idChars = 36;

/** Returns the cache key of a link; change notifications use the same format. */
export const keyOf = (projectId: string, path: string): string => `${projectId}/${path}`;

export const projectIdOf = (key: string): string => key.slice(0, idChars);

export const pathOf = (key: string): string => key.slice(idChars + 1);

/** A project in the cache of link traffic: the read model of routing, and its association files as they are sent. */
export interface CachedProject extends VisitedProject {
  readonly site: Site;
  /** Differs each time that the project is read, so that pages of an earlier state are not reused. */
  readonly version: number;
  readonly longLinks: OpenedLink;
  /** Null if the project has apps; then `AssociationFileCache` has them, because they depend on links. */
  readonly files: SentFiles | null;
}

export interface SentFiles {
  readonly appleFile: SentFile;
  readonly androidFile: SentFile;
}

export interface SentFile {
  content: Buffer;
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
