/** Documentation of the checked rules. */
export const publishedRules = {
  appleFile: 'https://developer.apple.com/documentation/xcode/supporting-associated-domains',
  appleLinks: 'https://developer.apple.com/documentation/xcode/allowing-apps-and-websites-to-link-to-your-content',
  appleEntitlement:
    'https://developer.apple.com/documentation/bundleresources/entitlements/com.apple.developer.associated-domains',
  appleSize:
    'https://developer.apple.com/library/archive/documentation/General/Conceptual/AppSearch/UniversalLinks.html',
  androidFile: 'https://developer.android.com/training/app-links/configure-assetlinks',
  androidTroubles: 'https://developer.android.com/training/app-links/troubleshoot',
  androidSource:
    'https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/packages/StatementService/src/com/android/statementservice/retriever/',
  googleFile: 'https://developers.google.com/digital-asset-links/v1/create-statement',
  googleSyntax: 'https://developers.google.com/digital-asset-links/v1/statements',
  /** No vendor documents in-app browsers. */
  inAppBrowsers: 'https://github.com/shalanah/inapp-debugger',
} as const;

export const associatedPlatforms = ['ios', 'android'] as const;
export type AssociatedPlatform = (typeof associatedPlatforms)[number];

interface FileRules {
  name: string;
  path: string;
  maxBytes: number;
  sizeRule: string;
  rule: string;
}

export const fileRules: Record<AssociatedPlatform, FileRules> = {
  ios: {
    name: 'apple-app-site-association',
    path: '/.well-known/apple-app-site-association',
    // Apple says "128 KB"; 128,000 bytes is the smaller reading.
    maxBytes: 128_000,
    sizeRule: publishedRules.appleSize,
    rule: publishedRules.appleFile,
  },
  android: {
    name: 'assetlinks.json',
    path: '/.well-known/assetlinks.json',
    // Google publishes no limit; this is Android's (DirectStatementRetriever, HTTP_CONTENT_SIZE_LIMIT_IN_BYTES).
    maxBytes: 1024 * 1024,
    sizeRule: publishedRules.androidSource,
    rule: publishedRules.googleFile,
  },
};
