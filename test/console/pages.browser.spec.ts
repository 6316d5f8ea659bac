/** @needs chromium */
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually';
import { startImports } from '../support/imports';
import { axeFaults } from './axe-faults';
import { type Tab, useConsole } from './open-console';

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
  ['Templates', inProject('/templates'), 'No templates yet'],
  ['Help', () => '/help/custom-domains', 'A custom domain, with TLS'],
  ['New link', inProject('/links/new'), 'Web page'],
  ['a link', ofLink(''), 'What visitors get'],
  ['QR code', ofLink('?tab=qr'), 'Error correction'],
  ['Short links', ofLink('?tab=short-links'), '/winter'],
  ['Clicks of a link', ofLink('?tab=clicks'), 'Clicks over time'],
  ['Imports', inProject('/imports'), '1 created, 1 in conflict, 1 refused'],
  ['an import', () => opened.inProject(`/imports/${importId}`), 'No link has changed yet.'],
  ['New import', inProject('/imports/new'), 'Where do the links come from?'],
  ['Apps', inProject('/apps'), 'com.example.alpine'],
  ['Domains', inProject('/domains'), 'Former subdomains'],
  ['Health', inProject('/health'), 'Notifications of the database'],
  ['Project settings', inProject('/settings'), 'Delete the project'],
  ['API keys', () => '/api-keys', 'Keys belong to people'],
  ['History', inProject('/history'), 'Only deletions'],
  ['Live', inProject('/live'), 'Nothing has happened yet'],
  ['Webhooks', () => '/webhooks', 'No webhooks yet'],
  ['Audit log', () => '/audit-log', 'Only deletions'],
  ['Account', () => '/account', 'of 10,000'],
];

/** Waits until the page is no wider than the window. Charts follow a new width a little later. */
const untilItFits = (page: Page): Promise<unknown> =>
  eventually(() => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'));

/** Widths of the window, in pixels. Each page is loaded at the first one. */
const widths = { light: [1280, 390, 3840], dark: [320] };

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  const [width, ...otherWidths] = widths[colorScheme];
  let tab: Tab;
  beforeAll(async () => {
    tab = await opened.signedIn('/', { colorScheme, viewport: { width: width!, height: 900 } });
  });

  test.each(pages)(
    'the page %s makes few requests, is accessible, breaks no policy and fits',
    async (name, path, shown) => {
      const { page, log } = tab;
      log.takeOrigins();
      await page.setViewportSize({ width: width!, height: 900 });
      await tab.open(path());
      await page.getByText(shown).first().waitFor();
      const requests = tab.takeRequests();
      // The live feed connects again by itself.
      const once = requests.filter((request) => !request.endsWith('/events/stream'));
      // All pages ask what the caller may do. Statistics have requests for clicks, opens, claims, conversions, the way through the store,
      // and the first group. Health has requests for hosts, a link, domains, webhooks, imports and the service.
      expect(once.length).toBeLessThanOrEqual({ Overview: 10, 'Clicks of a link': 10, Health: 8 }[name] ?? 6);
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
