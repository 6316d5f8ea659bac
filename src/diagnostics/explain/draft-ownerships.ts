import type { NewLink } from '../../links/dynamic-links/dynamic-link';
import { type LinkOwnerships, toLinkOwnerships } from '../../links/association-files/owned-paths';

/**
 * Returns the links of a project as they would be with the draft in place of the stored link. The slugs of the stored link keep
 * its apps, because a path of one segment decides about no other path.
 * @param storedPath the custom path of the stored link; null if the draft is of a new link
 */
export function ownershipsWithDraft(stored: LinkOwnerships, draft: NewLink, storedPath: string | null): LinkOwnerships {
  if (stored === null) return null;
  const { iosAppId, androidAppId, customPath } = draft;
  const others = stored.filter(({ path }) => path !== storedPath && path !== customPath);
  return toLinkOwnerships([...others, { path: customPath, iosAppId, androidAppId }]);
}
