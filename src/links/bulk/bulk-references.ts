import { foldTag } from '../tags/tag';
import type { DynamicLinkChanges } from '../dynamic-links/dynamic-link';
import {
  requireAllowedDestinations,
  requireOwnApp,
  type TagFields,
  toTagFields,
} from '../dynamic-links/link-references';
import type { AllowedDestinations } from '../projects/allowed-destinations';
import type { Project } from '../projects/project';

/** Holds the apps and tags that the operations of a request name, because one query finds all of them. */
export class BulkReferences {
  /**
   * @param iosApps the projects of the named apps by id, in any account
   * @param tags the named tags by their folded names
   */
  constructor(
    private readonly project: Pick<Project, 'id'> & AllowedDestinations,
    private readonly iosApps: ReadonlyMap<string, string>,
    private readonly androidApps: ReadonlyMap<string, string>,
    private readonly tags: ReadonlyMap<string, { id: string; name: string }>,
  ) {}

  /** @throws InvalidInput, DestinationRefused, IosAppNotFound, AndroidAppNotFound, CrossScope */
  requireValid(link: DynamicLinkChanges): void {
    const { iosAppId, androidAppId } = link;
    requireAllowedDestinations(this.project, link);
    if (iosAppId) requireOwnApp('ios', this.project.id, this.iosApps.get(iosAppId) ?? null);
    if (androidAppId) requireOwnApp('android', this.project.id, this.androidApps.get(androidAppId) ?? null);
  }

  tagFields(names: readonly string[]): TagFields {
    return toTagFields(names.map((name) => this.tags.get(foldTag(name))!));
  }
}
