/** @needs chromium */
import { DnsServer } from '../support/dns-server';
import { eventually, until } from '../support/eventually';
import { streamTimes } from '../../src/management-api/live-feed/event-stream';
import { Receiver, refuses } from '../tenancy/webhooks/receiver';
import { useConsole } from './open-console';
import { fixture } from '../support/fixtures';

const dns = fixture(() => DnsServer.start());
const receiver = fixture(() => Receiver.start());
beforeAll(() => dns.setResponse('hooks.example.com', { addresses: ['127.0.0.1'] }));
const opened = useConsole(() => ({ DNS_RESOLVERS: dns.address, WEBHOOK_PRIVATE_ADDRESSES: 'true' }));
// The start of the service sets the short times of other specs.
beforeAll(() => void Object.assign(streamTimes, { maxMs: 60_000 }));

const createLink = (name: string) => opened.api('post', '/links').send({ name }).expect(201);

test('a webhook is created, tested, and shows what was sent to it and that it fails', async () => {
  const { page } = await opened.signedIn('/webhooks');
  await page.getByRole('button', { name: 'Create a webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(receiver.url());
  await dialog.getByRole('button', { name: 'Create a webhook' }).click();
  await page.getByText('Copy the secret of').waitFor();
  expect(await page.getByText(/whsec_/).count()).toBe(1);

  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('The endpoint accepted the test event').waitFor();
  expect(receiver.received.map(({ event }) => event.type)).toContain('webhook.test');

  await createLink('Delivered');
  await until(() => receiver.types().includes('link.created'));
  await page.getByRole('button', { name: 'Deliveries' }).click();
  const row = page.getByRole('row', { name: /link\.created/ });
  await row.getByText('delivered').waitFor();
  await row.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('dialog').getByText('"specversion": "1.0"').waitFor();
  await page.keyboard.press('Escape');
  const before = receiver.received.length;
  await row.getByRole('button', { name: 'Send again' }).click();
  await until(() => receiver.received.length > before);

  receiver.behaviour = refuses();
  await createLink('Refused');
  await eventually(async () => {
    await page.reload();
    return (await page.getByText('No event was accepted since').count()) === 1;
  });
});

test('the live page shows a change as it happens', async () => {
  const { page, takeRequests } = await opened.signedIn(opened.inProject('/live'));
  await page.getByText('Connected').waitFor();
  await createLink('Seen at once');
  const row = page.getByRole('row', { name: /Seen at once/ });
  await row.getByText('Link: created').waitFor();
  expect(takeRequests().filter((request) => request.includes('/events/stream'))).toHaveLength(1);
  await page.close();
});
