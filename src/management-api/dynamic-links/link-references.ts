import { AndroidAppNotFound } from '../android-apps/android-app.errors';
import { IosAppNotFound } from '../ios-apps/ios-app.errors';
import { CrossScope } from '../../shared/domain-error';

/**
 * Distinguishes the two refusals for the caller. The foreign keys keep references valid.
 * @param owner the project of the app; null if no project has it
 * @throws IosAppNotFound, CrossScope
 */
export function requireOwnIosApp(projectId: string, owner: string | null): void {
  if (owner === null) throw new IosAppNotFound();
  if (owner !== projectId) throw new CrossScope('The iOS app of ios_app_id');
}

/**
 * Distinguishes the two refusals, like `requireOwnIosApp`.
 * @throws AndroidAppNotFound, CrossScope
 */
export function requireOwnAndroidApp(projectId: string, owner: string | null): void {
  if (owner === null) throw new AndroidAppNotFound();
  if (owner !== projectId) throw new CrossScope('The Android app of android_app_id');
}

/** The tags of a link, as a link stores them. */
export interface TagFields {
  tags: string[];
  tagIds: string[];
}

export const toTagFields = (tags: readonly { id: string; name: string }[]): TagFields => ({
  tags: tags.map(({ name }) => name),
  tagIds: tags.map(({ id }) => id),
});
