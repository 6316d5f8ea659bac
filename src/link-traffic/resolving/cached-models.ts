import type { OpenedLink } from '../../clicks/recording/click';
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

/** A project in the cache of link traffic: the read model of routing, and the slot of the click batch for long links. */
export interface CachedProject extends VisitedProject {
  readonly site: Site;
  /** Differs each time that the project is read, so that pages and association files of an earlier state are not reused. */
  readonly version: number;
  readonly longLinks: OpenedLink;
}

let versions = 0;

export const nextVersion = (): number => ++versions;
