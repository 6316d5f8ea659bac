import type { Click } from '../../../src/clicks/recording/click';
import { newId } from '../../../src/shared/id';
import { ExportLimits, maxExports } from '../../../src/tenancy/accounts/export-limits';
import { aClick, anOpenedLink, clicksFixture } from '../recording/counting';
import { aDynamicLink, aProject, unique } from '../../support/builders';
import { eventually, until } from '../../support/eventually';
import { serviceFixture, accountFixture } from '../../support/fixtures';
import { aPageOfClicks, describeRecordedClicks, exportedClicks, listedClicks } from './recorded-clicks.contract';

const quarter = 15 * 60_000;
const dayMs = 96 * quarter;

const on = serviceFixture();
const clicks = clicksFixture(on);
const account = accountFixture(on);

const store = () => ({ on, key: account.key });

describeRecordedClicks('PostgreSQL', () => ({
  on,
  key: account.key,
  write: (batch) => clicks.repository.record(newId(), 1, batch),
}));

test('visits are listed, without anything that identifies a visitor', async () => {
  const project = await aProject(on, account.key, { subdomain: unique('s') });
  const link = await aDynamicLink(on, account.key, project.id, { custom_path: 'one' });
  await on.visit(project.subdomain, '/one', { Referer: 'https://news.example/secret?token=1' }).expect(302);
  const [click] = await eventually(async () => {
    const { data } = await aPageOfClicks(store(), project.id, { include_bots: true });
    return data.length === 1 && data;
  });
  expect(click).toEqual({
    clicked_at: expect.any(String) as string,
    dynamic_link_id: link.id,
    short_link_id: null,
    source: null,
    platform: 'desktop',
    browser: null,
    referrer: 'news.example',
    country: null,
    bot: click!.bot,
    qr: false,
  });
});

test('by default, a list has the last 24 hours, and an export yesterday', async () => {
  const { id } = await aProject(on, account.key);
  const { id: other } = await aProject(on, account.key);
  const now = Date.now();
  const midnight = now - (now % dayMs);
  const at = (moment: number): Click => aClick({ at: moment, projectId: id, link: anOpenedLink() });
  await clicks.write([now - 1000, now - dayMs / 2, now - dayMs - 1].map(at));
  expect((await aPageOfClicks(store(), id, {})).data).toHaveLength(2);
  const bounds = [midnight + dayMs - 1, midnight, midnight - 1, midnight - dayMs, midnight - dayMs - 1];
  await clicks.write(bounds.map((moment) => ({ ...at(moment), projectId: other })));
  const exported = await exportedClicks(store(), other, {});
  // Another day may have begun meanwhile.
  expect([
    [midnight - dayMs, midnight - 1],
    [midnight, midnight + dayMs - 1],
  ]).toContainEqual(exported.map(({ clicked_at }) => Date.parse(clicked_at)));
});

test('later pages keep the start of the period, and leave out clicks that came since', async () => {
  const { id } = await aProject(on, account.key);
  const at = (moment: number): Click => aClick({ at: moment, projectId: id, link: anOpenedLink() });
  // As if the first page had been read half a day ago.
  const end = Date.now() - dayMs / 2;
  await clicks.write([end, end - 1, end - dayMs + 2000].map(at));
  const first = await aPageOfClicks(store(), id, { limit: 1, to: new Date(end + 1000).toISOString() });
  await clicks.write([at(end + 500)]);
  const second = await aPageOfClicks(store(), id, { limit: 10, cursor: first.pagination.nextCursor! });
  expect(second.data.map(({ clicked_at }) => Date.parse(clicked_at))).toEqual([end - 1, end - dayMs + 2000]);
});

test('a rare filter ends a page early, and later pages find the click', async () => {
  const { id } = await aProject(on, account.key);
  const to = Date.parse('2026-11-10T00:00Z');
  const link = anOpenedLink();
  const quarters = 32 * 96;
  // One click per row, and more rows than are read for a page.
  for (let batch = 0; batch < 4; batch++)
    await clicks.write(
      Array.from({ length: quarters }, (_, number) =>
        aClick({ at: to - (number + 1) * quarter + batch, projectId: id, link, country: 'DE' }),
      ),
    );
  await clicks.write([aClick({ at: to - quarters * quarter + 9, projectId: id, link, country: 'NP' })]);
  const query = { from: '2026-10-08T00:00:00Z', to: '2026-11-10T00:00:00Z', country: 'NP' };
  const { clicks: found, pages } = await listedClicks(store(), id, query);
  expect([found.length, pages[0]!.data.length, pages.length]).toEqual([1, 0, 2]);
});

test.each([
  ['clicks?from=2026-06-02T00:00:00Z&to=2026-06-02T00:00:00Z', 'from must be before to'],
  ['clicks?from=2026-06-01T00:00:00Z&to=2026-07-07T00:00:00Z', 'from must be at most 35 days before to'],
  ['clicks?page=2', 'page'],
  ...[
    'x',
    'W10',
    Buffer.from('[1,2,3,4]').toString('base64url'),
    Buffer.from('[1,"\\u0000",0,0]').toString('base64url'),
  ].map((cursor) => [`clicks?cursor=${cursor}`, 'cursor must be a nextCursor of this list']),
  ['clicks/export?date=2026-02-30', 'date must be a date such as 2027-01-31'],
  ['clicks/export?date=2026-11-22T00:00:00Z', 'date must be a date such as 2027-01-31'],
])('%s is refused', async (path, message) => {
  const { id } = await aProject(on, account.key);
  const { body } = await on.api('get', `/projects/${id}/${path}`, account.key).expect(400);
  expect((body as { error: { code: string; message: string } }).error).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(message) as string,
  });
});

test('an export is a file that is named after the project and the day', async () => {
  const { id, subdomain } = await aProject(on, account.key);
  const { headers } = await on.api('get', `/projects/${id}/clicks/export?date=2026-10-19`, account.key).expect(200);
  expect(headers['content-disposition']).toBe(`attachment; filename="clicks-${subdomain}-2026-10-19.ndjson"`);
});

test('HEAD of an export has its header, and reads no clicks', async () => {
  const { id } = await aProject(on, account.key);
  for (let times = 0; times < 4; times++)
    await on
      .api('head', `/projects/${id}/clicks/export`, account.key)
      .expect(200)
      .expect('Content-Type', 'application/x-ndjson; charset=utf-8');
});

test('an export counts for the exports that an account runs at once', async () => {
  const { accountId, key } = await on.anAccount('enterprise');
  const path = `/projects/${(await aProject(on, key)).id}/clicks/export`;
  const limits = on.service.app.get(ExportLimits, { strict: false });
  const leave = Array.from({ length: maxExports.ofAccount }, () => limits.enter(accountId));
  expect(await on.api('get', path, key)).toBeRefusedWith('RATE_LIMITED', { reason: 'concurrency' });
  for (const end of leave) end();
  await on.api('get', path, key).expect(200);
  await until(() => limits.running === 0);
});
