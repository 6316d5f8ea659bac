import type { OpenHostFacts } from '../../management-api/link-paths/open-host';
import type { LinkOwnerships } from '../../management-api/mobile-apps/owned-paths';

/** Reads what decides the open host and the paths of the apps of a project (docs/decisions/0020-read-models.md). */
export abstract class AssociationFactsRepository {
  abstract openHostFactsOf(projectId: string): Promise<OpenHostFacts>;
  /** Returns the paths of a project with the apps of their links; null if they are too many to derive anything from. */
  abstract ownedPathsOf(projectId: string): Promise<LinkOwnerships>;
}
