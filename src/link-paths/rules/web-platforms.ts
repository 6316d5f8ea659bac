import type { LinkRule } from './link-rules';
import type { RulePlatform } from './rule-values';

/** Platforms whose visitors a link sends to the web, all of them, so that no app should open it. */
export interface WebPlatforms {
  ios: boolean;
  android: boolean;
}

/** Returns the platforms for which the first rules, with no other condition, have a `url` or `variants`. */
export const webPlatforms = (rules: readonly LinkRule[]): WebPlatforms => ({
  ios: leadsToWeb(rules, 'ios') && leadsToWeb(rules, 'ipados'),
  android: leadsToWeb(rules, 'android'),
});

function leadsToWeb(rules: readonly LinkRule[], platform: RulePlatform): boolean {
  for (const { when, then } of rules) {
    const { platforms, ...others } = when;
    if (platforms !== undefined && !platforms.includes(platform)) continue;
    // A request of an app comes from an app that has opened the link.
    if (others.app_version !== undefined) continue;
    if ('app' in then || 'store' in then) return false;
    if (Object.keys(others).length === 0) return true;
  }
  return false;
}
