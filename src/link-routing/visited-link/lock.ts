import type { WebPlatforms } from '../../link-paths/rules/web-platforms';
import type { LinkLock, VisitedLink } from './visited-link';

/** No app opens a locked link, because phones would pass the page by. */
export const lockedWeb: WebPlatforms = { ios: true, android: true };

/** Returns null for nearly every link. */
export const lockOf = (passwordHash: Buffer | null, clickLimit: number | null, isUsedUp: boolean): LinkLock | null =>
  passwordHash === null && clickLimit === null ? null : { passwordHash, isLimited: clickLimit !== null, isUsedUp };

/** Returns the link as visitors get it behind the page. No answer leads to an app, which could not open the link. */
export const unlocked = <L extends VisitedLink>(link: L): L => ({ ...link, lock: null, iosDeferredDeepLink: false });
