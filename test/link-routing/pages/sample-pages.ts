import { getTheAppPage } from '../../../src/link-routing/pages/get-the-app';
import { inAppBrowserPage } from '../../../src/link-routing/pages/in-app-browser';
import { landingPage } from '../../../src/link-routing/pages/landing';
import { disabledPage, methodPage, notFoundPage, unavailablePage } from '../../../src/link-routing/pages/messages';
import { lockPage } from '../../../src/link-routing/pages/lock';
import { linkQrCode } from '../../../src/link-routing/pages/link-qr-code';
import type { HtmlPage } from '../../../src/link-routing/pages/page';
import type { PageLanguage } from '../../../src/link-routing/pages/page-texts';
import { otherSchemePage } from '../../../src/link-routing/pages/other-scheme';
import { previewPage } from '../../../src/link-routing/pages/preview';
import { type LinkTestContent, linkTestPage } from '../../../src/link-routing/pages/link-test';
import { type Verdict, verdicts } from '../../../src/link-routing/pages/link-test-texts';
import { aVisitor } from '../builders';

/** The content of all pages. */
export const sample = {
  url: 'https://summer.go.example/sale?utm_source=mail&x=1',
  title: 'Summer sale' as string | null,
  description: 'Half price until Sunday.' as string | null,
  imageUrl: 'https://pictures.example/sale.png' as string | null,
  appName: 'Garden & Co',
  appStoreUrl: 'https://apps.apple.com/app/id1234567890?pt=1&ct=mail' as string | null,
  playStoreUrl: 'https://play.google.com/store/apps/details?id=com.example.shop&referrer=a%3Db' as string | null,
  lacksOwnStore: false,
  ipadUrl: 'https://example.com/ipad?a=1&b=2' as string | null,
  storeUrl: 'https://apps.apple.com/app/id1234567890?pt=1&ct=mail',
  clipboardText: 'https://summer.go.example/sale?utm_source=mail&token=0123456789abcdef0123456789abcdef',
  openUrl: 'intent://summer.go.example/sale#Intent;scheme=https;package=com.example.shop;end',
  browserUrl: 'x-safari-https://summer.go.example/sale?_via=browser-page' as string | null,
  /** The second button of “Get the app”. */
  installedUrl: 'https://summer-open.go.example/sale?_via=open' as string | null,
  continueUrl: 'https://example.com/sale?a=1&b=2',
  destination: 'mailto:ann@example.com?subject=Sale&body=a',
  isAttempted: true,
};

export type Sample = typeof sample;

/** Optional content, absent. */
export const bare = {
  title: null,
  description: null,
  imageUrl: null,
  appStoreUrl: null,
  playStoreUrl: null,
  ipadUrl: null,
  browserUrl: null,
  installedUrl: null,
};

/** The pages with content of tenants or visitors. */
export const linkPages = {
  landing: (link: Sample, language: PageLanguage = 'en'): HtmlPage =>
    landingPage({ ...link, ...titled(link), code: linkQrCode(link.url) }, language),
  'get the app': (link: Sample, language: PageLanguage = 'en'): HtmlPage =>
    getTheAppPage({ ...link, ...titled(link), openUrl: link.installedUrl }, language),
  'in-app browser': (link: Sample, language: PageLanguage = 'en'): HtmlPage =>
    inAppBrowserPage({ ...link, ...titled(link) }, language),
  'other scheme': (link: Sample, language: PageLanguage = 'en'): HtmlPage =>
    otherSchemePage({ ...link, ...titled(link) }, language),
  preview: (link: Sample): HtmlPage => previewPage({ ...link, ...titled(link), siteName: link.appName }),
};

const titled = (link: Sample) => ({ ...link, title: link.title ?? link.appName });

export type LinkPageName = keyof typeof linkPages;
export const linkPageNames = Object.keys(linkPages) as LinkPageName[];

export const messagePages: Record<string, HtmlPage> = {
  'not found': notFoundPage.en,
  disabled: disabledPage.en,
  unavailable: unavailablePage.en,
  'not allowed': methodPage.en,
  password: lockPage({ hasPassword: true, fault: 'wrong', referringHost: 'news.example.com' }, 'en'),
  button: lockPage({ hasPassword: false, fault: null, referringHost: null }, 'en'),
  ...Object.fromEntries(
    verdicts.flatMap((verdict) =>
      (['en', 'de'] as const).map((language) => [
        `test ${verdict}, ${language}`,
        linkTestPage(aTestOf(verdict), language),
      ]),
    ),
  ),
};

/** Returns the content of the page of a test with this verdict. */
export function aTestOf(verdict: Verdict): LinkTestContent {
  const visitor = aVisitor(verdict === 'computer' ? 'desktop' : verdict === 'no-app' ? 'android' : 'ios', {
    browser: verdict === 'in-app' ? 'Instagram' : 'Safari',
    inAppBrowser: verdict === 'in-app',
  });
  const named = ['computer', 'no-app'].includes(verdict) ? [] : ['ABCDE12345.com.example.shop', 'ABCDE12345.beta'];
  return {
    visitor,
    system: { platform: 'ios', version: [17, 5, 1] },
    answer: { kind: 'redirect', location: sample.continueUrl },
    apps: named.map((id, at) => ({ id, opens: at === 1 && verdict !== 'other-address' })),
    host: 'summer.go.example',
    openUrl: 'https://summer-open.go.example/sale?_via=test',
    visitUrl: 'https://summer.go.example/sale',
    ipadUrl: null,
  };
}

/** Every page with all content and with the minimum. */
export const allPages: [string, HtmlPage][] = [
  ...linkPageNames.map((name): [string, HtmlPage] => [name, linkPages[name](sample)]),
  ...linkPageNames.map((name): [string, HtmlPage] => [`${name}, bare`, linkPages[name]({ ...sample, ...bare })]),
  ...Object.entries(messagePages),
];
