import { Client } from 'pg';
import { aDynamicLink, aProject } from '../support/builders';
import { eventually } from '../support/eventually';
import { aService, type TestAccount, type TestService } from '../support/service';

let on: TestService;
let account: TestAccount;
let listener: Client;
let payloads: string[];
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  listener = new Client({ connectionString: on.database.url });
  await listener.connect();
  listener.on('notification', ({ payload = '' }) => payloads.push(payload));
  await listener.query('LISTEN signpost_changes');
});
afterAll(async () => {
  await listener.end();
  await on.stop();
});

/** Changes a link, and returns the notifications that name it. */
async function notificationsOf(...changes: object[]): Promise<number> {
  const project = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, project.id);
  payloads = [];
  const path = `/projects/${project.id}/links/${link.id}`;
  for (const change of changes) await on.api('put', path, account.key).send(change).expect(200);
  // Notifications arrive in the order of the commits.
  await on.api('put', path, account.key).send({ custom_path: 'last' }).expect(200);
  await eventually(() => payloads.some((payload) => payload.includes('"paths"')));
  return payloads.filter((payload) => payload.includes('"links"') && payload.includes(link.id)).length - 1;
}

test('visitors notice neither notes nor archives, so that these empty no cache', async () => {
  const changes = [{ notes: 'Notes' }, { name: 'Renamed' }, { archived: true }, { archived: false, notes: null }];
  expect(await notificationsOf(...changes)).toBe(0);
});

test.each([
  { desktop_url: 'https://example.com/other' },
  { ios_fallback_url: 'https://example.com/ios' },
  { android_fallback_url: 'https://example.com/android' },
  { ios_deferred_deep_link: true },
  { social_title: 'Title' },
  { social_description: 'Description' },
  { social_image_url: 'https://example.com/image.png' },
  { referrer_params: { a: 'b' } },
  { title: 'Title' },
  { disabled: true },
  { query_forwarding: 'all' },
  { forwarded_params: ['a'] },
  { conversions: true },
  { external_id: 'crm-1' },
  { app_data: { a: 1 } },
  {
    variants: [
      { name: 'A', url: 'https://example.com/a', weight: 1 },
      { name: 'B', url: 'https://example.com/b', weight: 1 },
    ],
  },
  { rules: [{ when: { platforms: ['ios'] }, then: { url: 'https://example.com/ios' } }] },
  { active_from: '2026-01-01T00:00:00Z' },
  { active_until: '2100-01-01T00:00:00Z' },
  { expired_url: 'https://example.com/expired' },
])('link traffic hears of the change %j', async (change) => {
  expect(await notificationsOf(change)).toBe(1);
});
