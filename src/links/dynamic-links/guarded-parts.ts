import type { DynamicLink } from './dynamic-link';

/** Returns what the guard of released versions compares. */
export const guardedPartsOf = ({
  customPath,
  iosAppId,
  androidAppId,
}: Pick<DynamicLink, 'customPath' | 'iosAppId' | 'androidAppId'>) => ({
  path: customPath,
  iosAppId,
  androidAppId,
});
