import { AndroidAppNotFound } from '../android-apps/android-app.errors';
import { IosAppNotFound } from '../ios-apps/ios-app.errors';
import { foldTag } from '../tags/tag';
import { CrossScope } from '../../shared/domain-error';
import type { DynamicLinkChanges } from './dynamic-link';

/** Holds the apps and tags that the operations of a request name, because one query finds all of them. */
export class BulkReferences {
  /**
   * @param iosApps the projects of the named apps by id, in any account
   * @param tags the named tags by their folded names
   */
  constructor(
    private readonly projectId: string,
    private readonly iosApps: ReadonlyMap<string, string>,
    private readonly androidApps: ReadonlyMap<string, string>,
    private readonly tags: ReadonlyMap<string, { id: string; name: string }>,
  ) {}

  /** @throws IosAppNotFound, AndroidAppNotFound, CrossScope */
  requireOwnApps({ iosAppId, androidAppId }: DynamicLinkChanges): void {
    if (iosAppId) {
      const owner = this.iosApps.get(iosAppId);
      if (owner === undefined) throw new IosAppNotFound();
      if (owner !== this.projectId) throw new CrossScope('The iOS app of ios_app_id');
    }
    if (androidAppId) {
      const owner = this.androidApps.get(androidAppId);
      if (owner === undefined) throw new AndroidAppNotFound();
      if (owner !== this.projectId) throw new CrossScope('The Android app of android_app_id');
    }
  }

  /** Returns the tags as a link stores them. */
  tagFields(names: readonly string[]): { tags: string[]; tagIds: string[] } {
    const tags = names.map((name) => this.tags.get(foldTag(name))!);
    return { tags: tags.map(({ name }) => name), tagIds: tags.map(({ id }) => id) };
  }
}
