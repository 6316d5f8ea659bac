/** What Apple and Google publish of the two files, for people: where each rule that is checked here stands. */
export const publishedRules = {
  appleFile: 'https://developer.apple.com/documentation/xcode/supporting-associated-domains',
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
} as const;

/** The phones that the files are for. */
export const associatedPlatforms = ['ios', 'android'] as const;
export type AssociatedPlatform = (typeof associatedPlatforms)[number];

interface FileRules {
  /** As the specification and phones call it. */
  name: string;
  /** Where phones, or Apple for them, fetch it. */
  path: string;
  /** Bytes. */
  most: number;
  sizeRule: string;
  rule: string;
}

export const fileRules: Record<AssociatedPlatform, FileRules> = {
  ios: {
    name: 'apple-app-site-association',
    path: '/.well-known/apple-app-site-association',
    // "128 KB": whichever is meant, so much is safe.
    most: 128_000,
    sizeRule: publishedRules.appleSize,
    rule: publishedRules.appleFile,
  },
  android: {
    name: 'assetlinks.json',
    path: '/.well-known/assetlinks.json',
    // Google publishes none: what Android itself reads (DirectStatementRetriever, HTTP_CONTENT_SIZE_LIMIT_IN_BYTES).
    most: 1024 * 1024,
    sizeRule: publishedRules.androidSource,
    rule: publishedRules.googleFile,
  },
};
