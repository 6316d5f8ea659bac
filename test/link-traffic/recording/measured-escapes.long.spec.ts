import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EscapeWatch } from '../../../src/diagnostics/association-health/escape-watch';
import { countTimes } from '../../../src/link-traffic/recording/escape-counter';
import { watchTimes } from '../../../src/shared/watched-file';
import { formatProblems, getHealth } from '../../diagnostics/association-health/get-health';
import { explainVisit } from '../../diagnostics/explain/read-answer';
import { aDynamicLink, anIosApp, aProject, dataAt } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { sendRequest } from '../../support/raw-http';
import { aService } from '../../support/service';
import { iPhone } from '../deferred-links/claim-link';
import { aTemporaryFolder } from '../../support/temporary-folder';
import { serviceFixture, accountFixture, projectFixture, fixture } from '../../support/fixtures';

const instagram = (version: number) => `${iPhone} Instagram ${version}.0.0.1.1 (iPhone14,5; iOS 17_5; en_US)`;

const table = {
  ways: { safari: 'x-safari-{url}', chrome: 'googlechrome:{url}' },
  rows: [
    { app: 'Instagram', platform: 'ios', way: 'safari' },
    { app: 'Instagram', platform: 'ios', way: 'chrome' },
  ],
};
const otherTable = { ways: { other: 'other:{url}' }, rows: [{ app: 'Instagram', platform: 'ios', way: 'other' }] };

/** Every fifth visitor of a way taps the button. */
const visitorsPerTap = 5;
const round = 50;

const folder = aTemporaryFolder();
const file = join(folder, 'escapes.json');
beforeAll(() => {
  Object.assign(countTimes, { writeMs: 10 });
  Object.assign(watchTimes, { checkMs: 20 });
  writeFileSync(file, JSON.stringify(table));
});
const on = serviceFixture({ BROWSER_ESCAPES_FILE: file, TRUSTED_PROXIES: '127.0.0.1', METRICS_PORT: '0' });
const account = accountFixture(on);
const project = projectFixture(on, account);
const link = fixture(async () => {
  const app = await anIosApp(on, account.key, project.id);
  return aDynamicLink(on, account.key, project.id, { custom_path: 'sale', ios_app_id: app.id });
});
let host: string;
beforeAll(() => void (host = `${project.subdomain}.localhost`));

let visitors = 0;
const anAddress = (): string => `10.1.${++visitors >> 8}.${visitors & 255}`;

/** Sends the request of a visitor; another one each time without an address. */
const get = async (path: string, userAgent: string, address = anAddress(), more: Record<string, string> = {}) => {
  const headers = { Host: host, 'User-Agent': userAgent, 'X-Forwarded-For': address, ...more };
  return (await sendRequest(on.url, `GET ${path}`, headers)).text;
};

const pageUrl = /href="(x-safari-|googlechrome:|other:)https?:\/\/[^/]+(\/[^"]*)"/;
const names: Record<string, string> = { 'x-safari-': 'safari', 'googlechrome:': 'chrome', 'other:': 'other' };

/** Opens the page inside Instagram, and returns the way of its button with the path behind it. */
async function open(version: number, address?: string): Promise<{ way: string; path: string }> {
  const [, start, path] = pageUrl.exec(await get('/sale', instagram(version), address)) ?? [];
  return { way: names[start!]!, path: path! };
}

const sums = async (condition = 'app_version > 0') => {
  const rows = await on.database.query<{ way: string; offers: number; arrivals: number }>(
    `SELECT way, sum(offers) AS offers, sum(arrivals) AS arrivals FROM browser_escape_counts WHERE ${condition} GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ way, offers, arrivals }) => [way, [offers, arrivals]]));
};

const explained = async (version: number): Promise<string> => {
  const visitor = { user_agent: instagram(version) };
  const { steps, answer } = await explainVisit(on, account.key, { projectId: project.id, linkId: link.id }, visitor);
  const step = steps.find(({ rule }) => rule === 'browser_escape');
  const button = answer.page?.links.find(({ role }) => role === 'open_browser');
  return `${step?.finding} ${button?.url.replace(/https?:.*/, '')}`;
};

const metric = async (name: string): Promise<string[]> => {
  const text = await (await fetch(`http://127.0.0.1:${on.service.metricsPort}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith(name));
};

test('traffic moves to the other way if one stops working for a version', async () => {
  const offered: Record<string, number> = {};
  let written = 0;
  /** Makes a round of visits, of which every fifth leads outside by a way that works. Returns its ways. */
  const visit = async (version: number, working: string[]) => {
    const ways: string[] = [];
    for (let at = 0; at < round; at++) {
      const { way, path } = await open(version);
      ways.push(way);
      const offers = (offered[way] ?? 0) + 1;
      offered[way] = offers;
      if (offers % visitorsPerTap === 0 && working.includes(way)) await get(path, iPhone);
    }
    written += round;
    const total = 'SELECT sum(offers) AS total FROM browser_escape_counts WHERE app_version = 0';
    await eventually(async () => (await on.database.query<{ total: number }>(total))[0]!.total === written);
    return ways;
  };
  while (written < 550) await visit(445, ['safari', 'chrome']);
  const measured = await sums('app_version = 0');
  expect([written, measured['chrome']![0]]).toEqual([550, 51]);
  expect(measured['chrome']![1]! / measured['chrome']![0]!).toBeCloseTo(1 / visitorsPerTap, 1);
  expect(await explained(445)).toBe('first x-safari-');
  expect(await metric('signpost_browser_escapes_dropped{')).toEqual([]);

  // Instagram 445 stops the first way, and docs/operating/in-app-browsers.md states the number of visits.
  let visits = 0;
  for (let ways: string[] = []; ways.filter((way) => way === 'chrome').length < round - 1; visits += round)
    ways = await visit(445, ['chrome']);
  // The counts of a round arrive behind it, and the last round was of the other way, but for a try.
  expect(visits).toBeLessThanOrEqual(300 + 2 * round);
  expect(await explained(445)).toBe('measured googlechrome:');
  await eventually(async () => (await metric('signpost_browser_escapes_dropped{')).length > 0);
  // A new version begins with what all versions have shown.
  expect(await explained(446)).toBe('first x-safari-');

  for (let more = 0; more < 2 * round; more += round) await visit(446, ['chrome']);
  expect(await explained(446)).toBe('measured googlechrome:');
  expect(await metric('signpost_browser_escapes_dropped{')).toEqual([
    'signpost_browser_escapes_dropped{app="Instagram",platform="ios",way="safari"} 1',
  ]);
  const health = await getHealth(on, account.key, project.id);
  expect(formatProblems(health).filter((line) => line.includes('browser_escape'))).toEqual([
    'hint browser_escape_dropped ios',
  ]);
  expect((await metric('signpost_browser_escapes_offered_total{')).length).toBe(2);
});

test('a way that dropped is an event of projects with an app on its platform, once a day', async () => {
  const watch = on.service.app.get(EscapeWatch);
  const events = (id: string) =>
    dataAt<object[]>(on, account.key, `/projects/${id}/history?type=project.escape_dropped`);
  await watch.sweep();
  expect(await events(project.id)).toEqual([]);
  const webhook = { url: 'https://hooks.example.com/', enabled: false, event_types: ['project.*'] };
  await on.api('post', '/account/webhooks', account.key).send(webhook).expect(201);
  const withoutApps = await aProject(on, account.key);
  for (let times = 0; times < 2; times++) await Promise.all([watch.sweep(), watch.sweep()]);
  expect(await events(project.id)).toMatchObject([
    {
      resource_id: project.id,
      actor: { kind: 'service' },
      after: { app: 'Instagram', platform: 'ios', way: 'safari', preferred: 'chrome' },
    },
  ]);
  expect(await events(withoutApps.id)).toEqual([]);
});

test('a network counts once for a way, and its next pages have no marker', async () => {
  const address = '10.9.0.1';
  const first = await open(500, address);
  const second = await open(500, address);
  expect([first.path, second.path]).toEqual([
    expect.stringMatching(/^\/sale\?_via=browser-page~safari~ios~Instagram~500~17~\w+$/),
    '/sale?_via=browser-page',
  ]);
  await get(first.path, iPhone, address, { 'Sec-Purpose': 'prefetch' });
  await get(first.path, iPhone, address, { 'Sec-Fetch-Site': 'same-origin' });
  await get(first.path, instagram(500), address);
  await get(first.path, 'Twitterbot/1.0', address);
  for (let times = 0; times < 3; times++) await get(first.path, iPhone, address);
  // Anyone can name any version, so other versions of this network do not count either.
  expect((await open(502, address)).path).toBe('/sale?_via=browser-page');
  await get(first.path.replace('500', '502'), iPhone, address);
  await get(first.path.replace('500', '501'), iPhone, '10.9.0.2');
  await eventually(async () => (await sums('app_version = 501'))['safari'] !== undefined);
  expect(await sums('app_version = 502')).toEqual({});
  expect([await sums('app_version = 500'), await sums('app_version = 501')]).toEqual([
    { safari: [1, 1] },
    { safari: [0, 1] },
  ]);
});

test('there are at most 5,000 rows, and seldom versions are deleted for further ones', async () => {
  const add = (from: number, to = from, offers = 1) =>
    on.database.query(
      `SELECT count_browser_escapes(array_agg('Line'::text), array_agg('ios'::text), array_agg(version), array_agg(17), array_agg('safari'::text), array_agg($3::int), array_agg(0))
       FROM generate_series($1::int, $2) AS version`,
      [from, to, offers],
    );
  const offersOf = async (version: number) => (await sums(`app = 'Line' AND app_version = ${version}`))['safari']?.[0];
  const rows = async () => (await on.database.query('SELECT FROM browser_escape_counts')).length;
  await add(1, 1, 60);
  // Somebody who names another version each time.
  for (let from = 1000; from < 9000; from += 2000) await add(from, from + 1999);
  expect(await rows()).toBeLessThanOrEqual(5000);
  await add(9999);
  expect([await offersOf(1), await offersOf(9999), await offersOf(1000)]).toEqual([60, 1, undefined]);
  expect((await sums("app = 'Line' AND app_version = 0"))['safari']![0]).toBeGreaterThanOrEqual(2000);
  await on.database.query("UPDATE browser_escape_counts SET counted_at = now() - interval '8 days' WHERE app = 'Line'");
  await add(1);
  expect(await rows()).toBeLessThan(5000);
  expect([await offersOf(1), await offersOf(9999)]).toEqual([61, undefined]);
});

test('another table replaces the ways, and a wrong one is refused', async () => {
  const way = async () => (await open(600)).way;
  writeFileSync(file, '{"ways": {}}');
  await eventually(() => on.logLines.some((line) => line.includes('BROWSER_ESCAPES_FILE: keeps the former content')));
  expect(await metric('signpost_browser_escapes_file_current')).toEqual(['signpost_browser_escapes_file_current 0']);
  expect(['safari', 'chrome']).toContain(await way());
  writeFileSync(file, JSON.stringify(otherTable));
  await eventually(async () => (await way()) === 'other');
  expect(await metric('signpost_browser_escapes_file_current')).toEqual(['signpost_browser_escapes_file_current 1']);
  expect(await explained(600)).toBe('only other:');
});

test.each([
  ['no file', null, /^BROWSER_ESCAPES_FILE: cannot be read as a table of ways out of in-app browsers: ENOENT/],
  ['a wrong table', '{"ways": {}}', /^BROWSER_ESCAPES_FILE: cannot be read as .*: rows: Invalid input/],
])('a start with %s is refused', async (_, content, message) => {
  const path = join(folder, 'wrong.json');
  if (content !== null) writeFileSync(path, content);
  await expect(aService({ BROWSER_ESCAPES_FILE: path }, on.database)).rejects.toThrow(message);
});
