/** @needs chromium */
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually';
import { startImports } from '../support/imports';
import { axeFaults } from './axe-faults';
import { load } from './load';
import { type Tab, useConsole } from './open-console';

const textsOf = (language: string): Record<string, string> => load(`messages/${language}`).messages;
const [english, german] = [textsOf('en'), textsOf('de')];

/** Returns the German text of a message, and other texts as they are. */
const inGerman = (text: string): string =>
  german[Object.keys(english).find((key) => english[key] === text) ?? ''] ?? text;

const csv = `custom_path,desktop_url,colour
imported,https://shop.example.com/,green
winter-sale,https://shop.example.com/,
bad path,https://shop.example.com/${'x'.repeat(200)},
`;

const opened = useConsole();
let linkId: string;
let importId: string;
beforeAll(async () => {
  const [link] = await opened.list<{ id: string }>('/links?search=winter-sale');
  linkId = link!.id;
  await startImports(opened.on);
  const sent = opened.api('post', '/imports?source=csv').set('Content-Type', 'text/csv').send(csv);
  importId = (await sent.expect(202)).body.data.id;
  const rules = [
    { when: { countries: ['AT', 'DE'], qr: true }, then: { url: `https://shop.example.com/${'x'.repeat(80)}` } },
  ];
  await opened.api('put', `/links/${linkId}`).send({ rules }).expect(200);
  await opened.api('post', '/link-templates').send({ name: 'Newsletter', rules }).expect(201);
  await opened.api('post', '/custom-domains').send({ hostname: 'go.alpine-outfitters.com' }).expect(201);
  const webhook = { url: `https://hooks.example.com/${'x'.repeat(60)}`, event_types: ['link.created', 'link.updated'] };
  await opened.on.api('post', '/account/webhooks', opened.account.key).send(webhook).expect(201);
  await eventually(async () => {
    const [job] = await opened.list<{ state: string }>('/imports');
    return job?.state === 'ready';
  });
});

const inProject = (path: string) => () => opened.inProject(path);
const ofLink = (tab: string) => () => inProject(`/links/${linkId}${tab}`)();

const pages: [name: string, path: () => string, shown: string][] = [
  ['Projects', () => '/', 'Demo'],
  ['Overview', inProject(''), 'Clicks over time'],
  ['Links', inProject('/links'), 'Poster at the main station'],
  ['Campaign', inProject('/campaign'), 'Links of the campaign'],
  ['Templates', inProject('/templates'), 'Newsletter'],
  ['Help', () => '/help/custom-domains', 'A custom domain, with TLS'],
  ['New link', inProject('/links/new'), 'Web page'],
  ['a link', ofLink(''), 'What visitors get'],
  ['QR code', ofLink('?tab=qr'), 'Error correction'],
  ['Short links', ofLink('?tab=short-links'), '/winter'],
  ['Clicks of a link', ofLink('?tab=clicks'), 'Clicks over time'],
  ['Imports', inProject('/imports'), 'Ready to run'],
  ['an import', () => opened.inProject(`/imports/${importId}`), 'The dry run is complete. No link has changed yet.'],
  ['New import', inProject('/imports/new'), 'Where do the links come from?'],
  ['Apps', inProject('/apps'), 'com.example.alpine'],
  ['Domains', inProject('/domains'), 'Former subdomains'],
  ['Health', inProject('/health'), 'Notifications of the database'],
  ['Project settings', inProject('/settings'), 'Delete the project'],
  ['API keys', () => '/api-keys', 'Keys belong to people'],
  ['History', inProject('/history'), 'Only deletions'],
  ['Live', inProject('/live'), 'Nothing has happened yet'],
  ['Webhooks', () => '/webhooks', 'link.created, link.updated'],
  ['Audit log', () => '/audit-log', 'Only deletions'],
  ['Account', () => '/account', 'Stored pictures'],
];

/** Waits until neither the page nor a table is wider than its place. Charts follow a new width a little later. */
const untilItFits = (page: Page): Promise<unknown> =>
  eventually(() =>
    page.evaluate<boolean>(
      `document.documentElement.scrollWidth <= innerWidth &&
        [...document.querySelectorAll('.rows')].every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)`,
    ),
  );

/** Widths of the window, in pixels. Each page is loaded at the first one. */
const widths = { light: [1280, 390, 3840], dark: [320, 390] };

describe.each([
  ['light', 'en-GB'],
  ['dark', 'de-AT'],
] as const)('in %s colours and the language of %s', (colorScheme, locale) => {
  const [width, ...otherWidths] = widths[colorScheme];
  let tab: Tab;
  beforeAll(async () => {
    tab = await opened.signedIn('/', { colorScheme, locale, viewport: { width: width!, height: 900 } });
  });

  test.each(pages)(
    'the page %s makes few requests, is accessible, breaks no policy and fits',
    async (name, path, shown) => {
      const { page, log } = tab;
      log.takeOrigins();
      await page.setViewportSize({ width: width!, height: 900 });
      await tab.open(path());
      await page
        .getByText(locale === 'en-GB' ? shown : inGerman(shown))
        .first()
        .waitFor();
      const requests = tab.takeRequests();
      // The live feed connects again by itself.
      const once = requests.filter((request) => !request.endsWith('/events/stream'));
      // All pages ask what the caller may do. Statistics have requests for clicks, opens, claims, conversions, the way through the store,
      // and the first group. A link with rules is simulated. History has requests for the names of apps and tags. Health has requests for hosts, a link, domains, webhooks, imports and the service.
      expect(once.length).toBeLessThanOrEqual(
        { Overview: 10, 'Clicks of a link': 10, 'a link': 7, Health: 8, History: 7, 'Audit log': 7 }[name] ?? 6,
      );
      expect(once).toEqual([...new Set(once)]);
      expect(log.takeOrigins()).toEqual([opened.on.url]);
      expect(await axeFaults(tab)).toEqual([]);
      await untilItFits(page);
      for (const other of otherWidths) {
        await page.setViewportSize({ width: other, height: 900 });
        await untilItFits(page);
      }
      expect(log.problems).toEqual([]);
    },
  );
});
