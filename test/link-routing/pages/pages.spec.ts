import { createHash } from 'node:crypto';
import { landingPage } from '../../../src/link-routing/pages/landing';
import { previewPage } from '../../../src/link-routing/pages/preview';
import { markup } from '../../../src/shared/markup';
import { pageLanguages, pageTexts } from '../../../src/link-routing/pages/page-texts';
import { hostileTexts } from '../../browser/hostile-texts';
import { pictureOfSvg, readQrCode } from '../../support/qr-reader';
import { allPages, bare, linkPageNames, linkPages, type Sample, sample } from './sample-pages';

const written = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const hashes = (html: string, element: string): string[] =>
  [...html.matchAll(new RegExp(`<${element}\\b[^>]*>(.*?)</${element}>`, 'gs'))].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
  );

describe.each(allPages)('the page "%s"', (name, { html, contentSecurityPolicy }) => {
  test('allows only its style, its script and its picture', () => {
    const [style, ...moreStyles] = hashes(html, 'style');
    const [script, ...moreScripts] = hashes(html, 'script');
    const picture = /<img [^>]*src="([^"]*)"/.exec(html)?.[1];
    expect([moreStyles, moreScripts]).toEqual([[], []]);
    expect(contentSecurityPolicy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${style}`,
      ...(script ? [`script-src ${script}`] : []),
      ...(name.startsWith('get the app') && script ? ["connect-src 'self'"] : []),
      ...(picture ? [`img-src ${new URL(picture).origin}`] : []),
      "base-uri 'none'",
      html.includes('<form') ? "form-action 'self' http: https:" : "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  test('has no script or style in an attribute, and no refresh', () => {
    for (const [, tag] of html.matchAll(/<([a-z][^>]*)>/g))
      expect(tag).not.toMatch(/\s(on\w+|style|srcdoc|http-equiv)=/);
  });

  test('is indexable only if it is a preview', () => {
    expect(html.includes('<meta name="robots" content="noindex">')).toBe(!name.startsWith('preview'));
  });
});

test('only the pages that need a script have one', () => {
  const scripted = allPages.filter(([, { html }]) => html.includes('<script')).map(([name]) => name);
  expect(scripted).toEqual(['landing', 'get the app', 'other scheme', 'get the app, bare', 'other scheme, bare']);
});

// URLs contain the text as a parameter, with as little encoding as a URL allows.
const fields = {
  title: (text: string) => ({ title: text }),
  description: (text: string) => ({ description: text }),
  appName: (text: string) => ({ appName: text }),
  'appName as the title': (text: string) => ({ appName: text, title: null }),
  clipboardText: (text: string) => ({ clipboardText: `https://go.example/?q=${text}` }),
  storeUrl: (text: string) => ({ storeUrl: `https://apps.apple.com/?q=${text}` }),
  appStoreUrl: (text: string) => ({ appStoreUrl: `https://apps.apple.com/?q=${text}` }),
  playStoreUrl: (text: string) => ({ playStoreUrl: `https://play.google.com/?q=${text}` }),
  ipadUrl: (text: string) => ({ ipadUrl: `https://example.com/?q=${text}` }),
  openUrl: (text: string) => ({ openUrl: `intent://go.example/?q=${text}` }),
  imageUrl: (text: string) => ({ imageUrl: `https://pictures.example/?q=${text}` }),
  browserUrl: (text: string) => ({ browserUrl: `instagram://extbrowser/?url=${text}` }),
  installedUrl: (text: string) => ({ installedUrl: `https://summer-open.go.example/?q=${text}` }),
  continueUrl: (text: string) => ({ continueUrl: `https://example.com/?q=${text}` }),
  destination: (text: string) => ({ destination: `mailto:a?subject=${text}` }),
  url: (text: string) => ({ url: `https://go.example/?q=${text}` }),
};

test.each(linkPageNames)('the page "%s" escapes hostile texts and does not change otherwise', (name) => {
  for (const field of Object.values(fields)) {
    // Without the QR code, which depends on the URL.
    const draw = (text: string) =>
      linkPages[name]({ ...sample, url: '', ...field(text) }).html.replace(/<section.*<\/section>/s, '');
    const same = draw('harmless').replaceAll('harmless', 'X');
    for (const text of hostileTexts) expect(draw(text).replaceAll(written(text), 'X')).toBe(same);
  }
});

/** Has one address in all links. */
const linksTo = (address: string): Sample => ({
  ...sample,
  openUrl: address,
  browserUrl: address,
  installedUrl: address,
  continueUrl: address,
  storeUrl: address,
  appStoreUrl: address,
  playStoreUrl: address,
  destination: address,
});

// safe-urls.spec.ts has all kinds of addresses.
test.each(['javascript:alert(1)', '//example.com/', ''])('no page links to %j or fetches it', (address) => {
  const others = { clipboardText: 'x', url: address, imageUrl: address, ipadUrl: address };
  for (const name of linkPageNames) {
    const { html, contentSecurityPolicy } = linkPages[name]({ ...linksTo(address), ...others });
    expect(html).not.toMatch(/ (href|src|data-value)="(?!x")/);
    expect(html).not.toContain('og:url');
    expect(html).not.toContain('image');
    expect(contentSecurityPolicy).not.toContain('img-src');
  }
});

test.each([
  ['intent://go.example/sale#Intent;scheme=https;end', 2, 1],
  ['x-safari-https://go.example/sale', 1, 2],
  ['instagram://extbrowser/?url=https%3A%2F%2Fgo.example%2Fsale', 1, 2],
])('only the buttons that open an app or a browser may have the URL %s', (url, buttons, ofOtherScheme) => {
  const hrefs = linkPageNames.map((name) => [...linkPages[name](linksTo(url)).html.matchAll(/href="([^"]*)"/g)].length);
  expect(hrefs).toEqual([0, 0, buttons, ofOtherScheme, 0]);
});

test.each([
  ['https://pictures.example/a.png', 'https://pictures.example'],
  ['http://pictures.example:8080/a;b,c?d=*', 'http://pictures.example:8080'],
  ['https://user:secret@pictures.example/', 'https://pictures.example'],
  ['https://my_pictures.example/', 'https://my_pictures.example'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example'],
  ['https://127.0.0.1/', 'https://127.0.0.1'],
  ['https://a;script-src-elem/', null],
  ['https://a;sandbox/x.png', null],
  ["https://a'unsafe-inline'/", null],
  ['https://*/a.png', null],
  ['https://*.example/a.png', null],
  ['https://a,b/', null],
  ['https://[2001:db8::1]/a.png', null],
])('a picture at %s allows the origin %s', (imageUrl, origin) => {
  const { html, contentSecurityPolicy } = linkPages.landing({ ...sample, imageUrl });
  expect(/img-src ([^;]*)/.exec(contentSecurityPolicy)?.[1] ?? null).toBe(origin);
  expect(html.includes('<img ')).toBe(origin !== null);
  expect(contentSecurityPolicy.split('; ')).toHaveLength(origin === null ? 6 : 7);
});

/** Returns pairs of name or property and content, in order. */
const tagsOf = (html: string): [string, string][] =>
  [...html.matchAll(/<meta (name|property)="((?:og|twitter):[^"]*|description)" content="([^"]*)">/g)].map(
    ([, kind, key, content]) => {
      expect(kind).toBe(key!.startsWith('og:') ? 'property' : 'name');
      return [key!, content!];
    },
  );

describe('preview', () => {
  const link = {
    url: 'https://go.example/a?b=1&c=2',
    title: 'A "sale"',
    description: 'Text',
    imageUrl: 'https://pictures.example/a.png',
    siteName: 'Garden',
  };

  test('contains all tags of a complete link', () => {
    expect(tagsOf(previewPage(link).html)).toEqual([
      ['description', 'Text'],
      ['og:title', 'A &quot;sale&quot;'],
      ['og:description', 'Text'],
      ['og:image', 'https://pictures.example/a.png'],
      ['og:url', 'https://go.example/a?b=1&amp;c=2'],
      ['og:type', 'website'],
      ['og:site_name', 'Garden'],
      ['twitter:card', 'summary_large_image'],
      ['twitter:title', 'A &quot;sale&quot;'],
      ['twitter:description', 'Text'],
      ['twitter:image', 'https://pictures.example/a.png'],
    ]);
  });

  test.each([
    ['description', { description: null }, ['description', 'og:description', 'twitter:description']],
    ['empty description', { description: '' }, ['description', 'og:description', 'twitter:description']],
    ['picture', { imageUrl: null }, ['og:image', 'twitter:image']],
  ])('omits the tags of a link without %s', (_, without, missing) => {
    const keys = tagsOf(previewPage(link).html).map(([key]) => key);
    const left = tagsOf(previewPage({ ...link, ...without }).html);
    expect(left.map(([key]) => key)).toEqual(keys.filter((key) => !missing.includes(key)));
    expect(left).toContainEqual(['twitter:card', 'imageUrl' in without ? 'summary' : 'summary_large_image']);
  });
});

describe.each(pageLanguages)('in the language %s', (language) => {
  const texts = pageTexts[language];
  const namePlaceholder = markup`<i>NAME</i>`;
  const listed = (of: typeof texts): string[] =>
    Object.values(of).flatMap((value: (typeof texts)[keyof typeof texts]) =>
      typeof value === 'string'
        ? [value]
        : typeof value === 'function'
          ? [value(namePlaceholder).text]
          : [value.title, value.text],
    );
  /** Texts between tags, and names of pictures, without those of the link. */
  const shownIn = (html: string): string[] =>
    [...html.replace(/<(style|script)\b.*?<\/\1>/gs, '').matchAll(/(?<=>|aria-label=")[^<>"]+(?=<|")/g)]
      .map(([text]) => text.trim())
      .filter((text) => text !== '');

  test('all texts exist, end like sentences where they are, and differ from English', () => {
    const all = listed(texts);
    const english = listed(pageTexts.en);
    expect(all).toHaveLength(english.length);
    for (const [at, text] of all.entries()) {
      expect(text).toMatch(/^\S.*\S$/);
      expect([text, /[.。]$/.test(text)]).toEqual([text, english[at]!.endsWith('.')]);
      expect(text.split('<i>NAME</i>')).toHaveLength(english[at]!.split('<i>NAME</i>').length);
      if (language !== 'en') expect(english).not.toContain(text);
    }
  });

  test.each(linkPageNames.filter((name) => name !== 'preview'))('the page "%s" has only its texts', (name) => {
    const ofLink = [sample.title, sample.description, sample.appName, sample.destination, ''].map((text) =>
      written(text!),
    );
    const html = linkPages[name]({ ...sample, lacksOwnStore: true }, language).html.replace(
      /<bdi lang="">[^<]*<\/bdi>/g,
      'NAME',
    );
    expect(html).toContain(`<html lang="${language}">`);
    const known = listed(texts).map((text) => text.replace('<i>NAME</i>', 'NAME'));
    const shown = shownIn(html).filter((text) => !ofLink.includes(text));
    expect(shown.length).toBeGreaterThanOrEqual(name === 'other scheme' ? 2 : 4);
    expect(shown.filter((text) => !known.includes(text))).toEqual([]);
  });
});

describe('landing', () => {
  const codeOf = (html: string) => /<svg.*<\/svg>/s.exec(html)?.[0].replace(' aria-hidden="true"', '') ?? null;
  const address = (length: number) => 'https://summer.go.example/sale?x='.padEnd(length, 'abcdefghij');

  test.each([40, 100, 250, 320])('shows a URL of %d characters as a QR code', (length) => {
    const { html } = linkPages.landing({ ...sample, url: address(length) });
    expect(readQrCode(pictureOfSvg(codeOf(html)!, 3))).toBe(address(length));
  });

  test.each([321, 3000, 100_000, 0])('has no QR code for a URL of %d characters', (length) => {
    const { html } = linkPages.landing({ ...sample, url: length ? address(length) : '' });
    expect(codeOf(html)).toBeNull();
    expect(html).toContain('Summer sale');
  });

  test.each([
    ['both stores', {}, ['Download on the App Store', 'Get it on Google Play']],
    ['the App Store', { playStoreUrl: null }, ['Download on the App Store']],
    ['Google Play', { appStoreUrl: null }, ['Get it on Google Play']],
    ['no store', { appStoreUrl: null, playStoreUrl: null }, []],
  ])('links to %s', (_, stores, labels) => {
    const { html } = linkPages.landing({ ...sample, ...stores });
    expect([...html.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, label]) => label)).toEqual(labels);
  });

  test('shows a notice if the link has no content', () => {
    const { html } = landingPage({ ...sample, ...bare, title: 'Sale', lacksOwnStore: false, code: null }, 'en');
    expect(html).toContain('This link has no page for your device.');
    expect(linkPages.landing(sample).html).not.toContain('no page for your device');
  });

  test('shows the notice beside other content to a phone that lacks its store', () => {
    const { html } = linkPages.landing({ ...sample, lacksOwnStore: true });
    expect(html).toContain('This link has no page for your device.');
    expect(html).toContain('Get it on Google Play');
  });
});
