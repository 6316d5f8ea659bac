import { alsoWritten } from '../../shared/rule';
import { text } from '../../shared/text';

/**
 * Accepts letters, digits, hyphens and dots (Apple, "CFBundleIdentifier"). Old apps in the App Store have underscores too, which
 * Apple no longer allows in new apps.
 */
export const bundleId = text({
  min: 1,
  max: 155,
  pattern: /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/,
  patternSays: 'consist of letters, digits, hyphens and underscores, in parts joined by single dots',
});

export const teamId = text({
  min: 10,
  max: 10,
  pattern: /^[A-Z0-9]+$/,
  patternSays: 'consist of capital letters and digits',
});

/** Accepts the number of an app in the App Store, as it is stored. */
export const appStoreId = text({ min: 1, max: 20, pattern: /^[0-9]+$/, patternSays: 'consist of digits' });

/** Accepts the number also with `id` before it, as addresses of the App Store have it. */
export const sentAppStoreId = alsoWritten(appStoreId, { maxLength: 22, pattern: '^(?:id)?[0-9]{1,20}$' }, (sent) =>
  sent.replace(/^id(?=[0-9])/, ''),
);
