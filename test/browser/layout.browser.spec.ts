/** @needs chromium */
import type { BrowserContext, BrowserContextOptions, Page as Tab } from 'playwright-core';
import type { HtmlPage } from '../../src/link-routing/pages/page';
import { pageLanguages } from '../../src/link-routing/pages/page-texts';
import { type Color, contrast } from '../../src/links/qr-codes/color';
import { bare, linkPageNames, linkPages, messagePages, sample } from '../link-routing/pages/sample-pages';
import { pictureOfPng, readQrCode } from '../support/qr-reader';
import { devices } from './devices';
import { usePages } from './use-browser';
import { type ContextLog, watchContext } from './watch-context';

const long = {
  title: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhalterung',
  description: `https://example.com/${'a'.repeat(200)} ${'word '.repeat(60)}`,
  appName: 'W'.repeat(100),
};

const screens: Record<string, BrowserContextOptions> = {
  'an iPhone 15': devices['iPhone 15'],
  'an iPhone 15 in dark mode': { ...devices['iPhone 15'], colorScheme: 'dark', reducedMotion: 'reduce' },
  'a Pixel 7': devices['Pixel 7'],
  'a phone 320 pixels wide': devices['iPhone SE'],
  'a desktop': { viewport: { width: 1280, height: 800 } },
  'a desktop in dark mode': { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
};

const opened = usePages();
let pages: [string, HtmlPage][];
beforeAll(() => {
  const link = { ...sample, imageUrl: opened.server.picture, ipadUrl: null };
  pages = [
    ...linkPageNames.flatMap((name): [string, HtmlPage][] => [
      [name, linkPages[name](link)],
      [`${name}, bare`, linkPages[name]({ ...sample, ...bare })],
      [`${name}, long`, linkPages[name]({ ...link, ...long })],
      ...(name === 'preview' ? [] : pageLanguages).map((language): [string, HtmlPage] => [
        `${name}, ${language}`,
        linkPages[name](link, language),
      ]),
    ]),
    ...Object.entries(messagePages),
  ];
});
interface Measured {
  width: number;
  scrollWidth: number;
  texts: { text: string; color: string; background: string }[];
  cut: string[];
  targets: { width: number; height: number }[];
  counts: Record<'main' | 'h1' | 'unnamed', number>;
  lang: string;
  title: string;
  transition: string;
}

const measure = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const seen = (element) => element.checkVisibility();
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor;
    }
  };
  return {
    width: innerWidth,
    scrollWidth: document.documentElement.scrollWidth,
    texts: all('body *')
      .filter((element) => seen(element) && !element.closest('svg, script, noscript'))
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
      .map((element) => ({ text: element.textContent, color: getComputedStyle(element).color, background: backgroundOf(element) })),
    cut: all('main *')
      .filter((element) => seen(element) && !element.closest('svg, noscript') && element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.textContent),
    targets: all('a').map((element) => element.getBoundingClientRect().toJSON()),
    counts: {
      main: all('main').length,
      h1: all('h1').length,
      unnamed: all('img:not([alt]), [role=img]:not([aria-label]), a:empty, h1:empty').length,
    },
    lang: document.documentElement.lang,
    title: document.title,
    transition: all('a').map((element) => getComputedStyle(element).transitionDuration).join(),
  };
})()`;

const colorOf = (css: string): Color => {
  const [red, green, blue, alpha = 1] = css.match(/[\d.]+/g)!.map(Number) as [number, number, number, number?];
  if (alpha !== 1) throw new Error(`${css} is not opaque`);
  return [red, green, blue];
};

describe.each(Object.entries(screens))('on %s', (name, options) => {
  let context: BrowserContext;
  let log: ContextLog;
  let tab: Tab;
  beforeAll(async () => {
    context = await opened.browser.newContext(options);
    log = await watchContext(context);
    tab = await context.newPage();
  });
  afterAll(() => context?.close());

  test('every page is readable, reports no problem and fetches only its picture', async () => {
    for (const [title, page] of pages) {
      const address = opened.server.add(page);
      await tab.goto(address);
      const origins = [
        new URL(address).origin,
        ...(page.html.includes('<img') ? [new URL(opened.server.picture).origin] : []),
      ];
      // The attempt at an e-mail has the opaque origin.
      const fetched = log.takeOrigins().filter((origin) => origin !== 'null');
      expect([title, fetched, log.problems]).toEqual([title, origins.sort(), []]);

      const seen = await tab.evaluate<Measured>(measure);
      expect([title, seen.scrollWidth, seen.cut]).toEqual([title, seen.width, []]);
      expect(seen).toMatchObject({
        lang: /, (\w\w)$/.exec(title)?.[1] ?? 'en',
        counts: { main: 1, h1: 1, unnamed: 0 },
        title: expect.stringMatching(/\S/),
      });
      expect(seen.texts.length).toBeGreaterThanOrEqual(1);
      for (const { text, color, background } of seen.texts) {
        const ratio = contrast(colorOf(color), colorOf(background));
        if (ratio < 4.5) throw new Error(`${title}: "${text}" has a contrast of ${ratio} (${color} on ${background})`);
      }
      for (const { width, height } of seen.targets) expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
      if (screens[name]!.reducedMotion) expect(seen.transition.replaceAll(/0s|,/g, '')).toBe('');
    }
  });

  test('the picture is visible, and the page follows the colour scheme', async () => {
    await tab.goto(opened.server.add(linkPages.landing({ ...sample, imageUrl: opened.server.picture, ipadUrl: null })));
    const picture = await tab.locator('img').boundingBox();
    expect(picture!.width).toBeGreaterThan(250);
    expect(picture!.height).toBeGreaterThan(130);
    expect(await tab.evaluate('document.images[0].naturalWidth')).toBeGreaterThan(0);
    const [page, text] = await tab.evaluate<string[]>(
      `['backgroundColor', 'color'].map((key) => getComputedStyle(document.body)[key])`,
    );
    const [white, black]: [Color, Color] = [
      [255, 255, 255],
      [0, 0, 0],
    ];
    const dark = screens[name]!.colorScheme === 'dark';
    expect(contrast(colorOf(page!), dark ? black : white)).toBeLessThan(1.3);
    expect(contrast(colorOf(text!), dark ? white : black)).toBeLessThan(1.3);
  });

  test.each([60, 320])('the QR code of a URL of %d characters is visible except on phones', async (length) => {
    const url = sample.url.padEnd(length, 'abcdefghij');
    await tab.goto(opened.server.add(linkPages.landing({ ...sample, url, ipadUrl: null })));
    const code = tab.getByRole('img', { name: 'QR code of this link' });
    expect(await code.isVisible()).toBe(name.includes('desktop'));
    if (name.includes('desktop')) expect(readQrCode(pictureOfPng(await code.screenshot()))).toBe(url);
  });

  test('the Tab key reaches all buttons with a visible focus', async () => {
    await tab.goto(opened.server.add(linkPages['get the app'](sample)));
    const labels: string[] = [];
    for (let step = 0; step < 3; step++) {
      await tab.keyboard.press('Tab');
      const [label, outline, color, background] = await tab.evaluate<string[]>(`(() => {
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(document.activeElement);
        const card = getComputedStyle(document.querySelector('main')).backgroundColor;
        return [document.activeElement.textContent, outlineStyle + outlineWidth, outlineColor, card];
      })()`);
      labels.push(label!);
      expect(outline).toBe('solid3px');
      expect(contrast(colorOf(color!), colorOf(background!))).toBeGreaterThanOrEqual(3);
    }
    expect(labels).toEqual(['Get the app', 'Open in app', 'Continue without copying']);
  });
});
