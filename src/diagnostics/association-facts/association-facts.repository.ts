import type { LinkPath } from '../../links/link-paths/custom-path';
import type { OpenHostFacts } from '../../links/link-paths/open-host';
import type { LinkOwnerships } from '../../links/association-files/owned-paths';

/** Reads what decides the open host, the paths of the apps and the meant path of a project (docs/decisions/0020-read-models.md). */
export abstract class AssociationFactsRepository {
  abstract openHostFactsOf(projectId: string): Promise<OpenHostFacts>;
  /** Returns the first of the paths that leads to a link; null if none does. */
  abstract meantPathOf(
    projectId: string,
    paths: readonly LinkPath[],
  ): Promise<{ path: LinkPath; linkId: string } | null>;
  /** Returns the paths of a project with the apps of their links; null if they are too many to derive anything from. */
  abstract ownedPathsOf(projectId: string): Promise<LinkOwnerships>;
}
