import type { RevealedWebhookDto, WebhookDeliveryDto, WebhookDto } from '../../../src/tenancy/webhooks/webhooks.dto';
import { sendLimits } from '../../../src/tenancy/webhooks/webhook-sender';
import { WebhookUpkeep } from '../../../src/tenancy/webhooks/webhook-upkeep';
import { WebhookWorker } from '../../../src/tenancy/webhooks/webhook-worker';
import { aDynamicLink, aProject, aTag, created, dataAt } from '../../support/builders';
import { DnsServer } from '../../support/dns-server';
import { eventually } from '../../support/eventually';
import { accepts, hangs, Receiver, refuses, verify } from './receiver';
import { fixture, serviceFixture, fixtureOfEach } from '../../support/fixtures';

const production = { ...sendLimits };
const dns = fixture(() => DnsServer.start());
beforeAll(async () => {
  for (const host of ['hooks', 'others']) dns.setResponse(`${host}.example.com`, { addresses: ['127.0.0.1'] });
});
const settings = { WEBHOOK_PRIVATE_ADDRESSES: 'true', PROBES_PER_MINUTE: '1000' };
const on = serviceFixture(() => ({ DNS_RESOLVERS: dns.address, ...settings }));
const account = fixtureOfEach(() => on.anAccount('enterprise'));
const project = fixtureOfEach(() => aProject(on, account.key));
const receiver = fixtureOfEach(() => Receiver.start());
afterEach(async () => {
  Object.assign(sendLimits, production);
  await on.database.query('UPDATE webhook_endpoints SET enabled = false');
});

const path = '/account/webhooks';

/** Waits for a condition. The worker looks for events at each check, which it does once a second by itself. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const worker = on.service.app.get(WebhookWorker, { strict: false });
  await eventually(() => {
    worker.look();
    return condition();
  });
}

type Revealed = RevealedWebhookDto & { id: string; secret: string };
const aWebhook = (fields: object = {}) => created<Revealed>(on, account.key, path, { url: receiver.url(), ...fields });
const rename = (id: string, name: string) =>
  on.api('put', `/projects/${project.id}/links/${id}`, account.key).send({ name }).expect(200);
const deliveries = (id: string, query = '') =>
  dataAt<WebhookDeliveryDto[]>(on, account.key, `${path}/${id}/deliveries${query}`);
const webhook = (id: string) => dataAt<WebhookDto>(on, account.key, `${path}/${id}`);
/** Waits for so many deliveries in a state. */
const deliveriesIn = (id: string, state: string, count: number) =>
  eventually(async () => {
    const found = await deliveries(id, `?state=${state}`);
    return found.length === count && found;
  });

/** Makes the next attempts due, as if their pause were over. */
async function skipPauses(): Promise<void> {
  await on.database.query(
    "UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'waiting' AND next_attempt_at IS NOT NULL",
  );
  await on.database.query('UPDATE webhook_positions SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL');
}

test('an event is delivered, signed, in the form of CloudEvents', async () => {
  const { id, secret } = await aWebhook({ event_types: ['link.*'] });
  const link = await aDynamicLink(on, account.key, project.id, { name: 'Sale' });
  await until(() => receiver.accepted.length === 1);
  const [received] = receiver.received;
  expect(verify(secret, received!)).toEqual(received!.event);
  expect(received!.id).toBe(`${id}_${received!.event.id}`);
  expect(received!.headers['content-type']).toBe('application/json');
  expect(received!.event).toEqual({
    specversion: '1.0',
    id: expect.stringMatching(/^\d+$/),
    source: `/accounts/${account.accountId}`,
    type: 'link.created',
    subject: link.id,
    time: expect.any(String),
    datacontenttype: 'application/json',
    data: {
      version: 1,
      project_id: project.id,
      resource_id: link.id,
      resource_count: 1,
      resource_ids: null,
      actor: { kind: 'key', id: account.apiKeyId },
      before: null,
      after: expect.objectContaining({ name: 'Sale' }),
    },
  });
  const [delivery] = await deliveriesIn(id, 'delivered', 1);
  expect(delivery).toMatchObject({ status: 204, attempts: 1, type: 'link.created', failure: null });
  const shown = await dataAt(on, account.key, `${path}/${id}/deliveries/${delivery!.id}`);
  expect(shown).toMatchObject({ event: received!.event });
});

test('an event that fails is tried again, and later events of its resource wait behind it', async () => {
  const { id } = await aWebhook({ event_types: ['link.updated'] });
  const [one, other] = [
    await aDynamicLink(on, account.key, project.id),
    await aDynamicLink(on, account.key, project.id),
  ];
  receiver.behaviour = (response, event) =>
    (event.subject === one.id ? refuses(503, { 'Retry-After': '1' }) : accepts)(response, event);
  for (const name of ['first', 'second']) await rename(one.id, name);
  await rename(other.id, 'free');
  await until(() => receiver.accepted.length === 1);
  const waiting = await deliveriesIn(id, 'waiting', 2);
  expect(waiting.map(({ attempts }) => attempts).toSorted()).toEqual([0, 1]);
  const failed = waiting.find(({ attempts }) => attempts === 1)!;
  expect(failed).toMatchObject({ status: 503, failure: 'error_answer', answer: 'maintenance' });
  expect(new Date(failed.next_attempt_at!) > new Date(failed.last_attempt_at!)).toBe(true);
  receiver.behaviour = accepts;
  await skipPauses();
  await until(() => receiver.accepted.length === 3);
  expect(receiver.accepted.slice(1).map(({ data }) => data.after!['name'])).toEqual(['first', 'second']);
  // The next attempt has the same id, so the receiver recognises it.
  const ids = receiver.received.filter(({ event }) => event.data.after?.['name'] === 'first').map((one) => one.id);
  expect(new Set(ids).size).toBe(1);
  expect(ids.length).toBeGreaterThan(1);
});

test.each([
  ['answers 500', refuses(500)],
  ['redirects', refuses(302, { Location: 'http://hooks.example.com/elsewhere' })],
  ['hangs', hangs],
])('an endpoint that %s gets one event at a time until it is back, and then all', async (_, behaviour) => {
  sendLimits.timeoutMs = 100;
  const { id } = await aWebhook({ event_types: ['link.*'] });
  receiver.behaviour = behaviour;
  for (let at = 0; at < 8; at++) await aDynamicLink(on, account.key, project.id, { name: `link ${at}` });
  await until(async () => {
    await skipPauses();
    const [place] = await on.database.query<{ failures: number }>(
      'SELECT failures FROM webhook_positions WHERE endpoint_id = $1',
      [id],
    );
    return place!.failures >= 5;
  });
  expect((await webhook(id)).failing_since).not.toBeNull();
  const upkeep = on.service.app.get(WebhookUpkeep, { strict: false });
  await upkeep.sweep();
  expect(upkeep.state).toMatchObject({ failing: 1 });
  expect(upkeep.state.oldestSeconds).toBeGreaterThan(0);
  receiver.behaviour = accepts;
  await until(async () => {
    await skipPauses();
    return receiver.accepted.length === 8;
  });
  await until(async () => (await webhook(id)).failing_since === null);
});

test('an endpoint that hangs delays no other one', async () => {
  const other = await Receiver.start();
  receiver.behaviour = hangs;
  await aWebhook({ event_types: ['link.*'] });
  await aWebhook({ event_types: ['link.*'], url: other.url('others.example.com') });
  await aDynamicLink(on, account.key, project.id);
  await until(() => other.accepted.length === 1 && receiver.received.length === 1);
  await other.stop();
});

test('an endpoint without a success for five days is disabled, with an event, and continues where it was', async () => {
  const { id } = await aWebhook({ event_types: ['link.*'] });
  receiver.behaviour = refuses();
  await aDynamicLink(on, account.key, project.id, { name: 'missed' });
  await until(async () => (await webhook(id)).failing_since !== null);
  await on.database.query(
    "UPDATE webhook_endpoints SET failing_since = now() - interval '5 days 1 second' WHERE id = $1",
    [id],
  );
  await skipPauses();
  const disabled = await eventually(async () => {
    const found = await webhook(id);
    return found.enabled === false && found;
  });
  expect(disabled.disabled_at).not.toBeNull();
  const log = await dataAt(on, account.key, '/account/audit-log?type=webhook.disabled');
  expect(log).toMatchObject([{ resource_id: id, actor: { kind: 'service' } }]);
  receiver.behaviour = accepts;
  await on.api('put', `${path}/${id}`, account.key).send({ enabled: true }).expect(200);
  await skipPauses();
  await until(() => receiver.accepted.length === 1);
  expect((await webhook(id)).disabled_at).toBeNull();
});

test('an event that no attempt has delivered in three days is given up, and the next one follows', async () => {
  const { id } = await aWebhook({ event_types: ['link.updated'] });
  const link = await aDynamicLink(on, account.key, project.id);
  receiver.behaviour = (response, event) =>
    (event.data.after!['name'] === 'poison' ? refuses() : accepts)(response, event);
  await rename(link.id, 'poison');
  await rename(link.id, 'healthy');
  await deliveriesIn(id, 'waiting', 2);
  await on.database.query(
    "UPDATE webhook_deliveries SET first_attempt_at = now() - interval '3 days' WHERE attempts > 0",
  );
  await skipPauses();
  await until(() => receiver.accepted.length === 1);
  await deliveriesIn(id, 'failed', 1);
});

test.each([
  ['one event', false, 1],
  ['an event for each link', true, 3],
])('a batch is %s', async (_, per_link, count) => {
  const links = [];
  for (let at = 0; at < 3; at++) links.push(await aDynamicLink(on, account.key, project.id));
  await aWebhook({ event_types: ['link.updated'], per_link });
  await on.database.query("UPDATE dynamic_links SET name = 'batch' WHERE project_id = $1", [project.id]);
  await until(() => receiver.accepted.length === count);
  const ids = receiver.accepted.flatMap(({ data }) => data.resource_ids ?? data.resource_id);
  expect(ids.toSorted()).toEqual(links.map(({ id }) => id).toSorted());
  if (per_link) expect(receiver.accepted[0]!.data.after).toEqual({ name: 'batch' });
});

test('milestones of links with the tag are sent, those of others are not', async () => {
  const tag = await aTag(on, account.key, project.id, { name: 'sale' });
  await aWebhook({ event_types: ['link.opens_reached'], tag_ids: [tag.id] });
  const [other, tagged] = [
    await aDynamicLink(on, account.key, project.id),
    await aDynamicLink(on, account.key, project.id, { tags: ['sale'] }),
  ];
  for (const { id } of [other, tagged])
    await on.database.query(
      `SELECT record_app_events(ARRAY[sha256($2::uuid::text::bytea)], '{open}', ARRAY[$1::uuid], ARRAY[$2::uuid], ARRAY[now()], '{ios}', '{""}',
         '{""}', '{""}', '{""}', '{100}')`,
      [project.id, id],
    );
  await until(() => receiver.accepted.length === 2);
  expect(receiver.accepted).toMatchObject(
    [1, 100].map((count) => ({
      type: 'link.opens_reached',
      subject: tagged.id,
      data: { project_id: project.id, actor: { kind: 'service', id: null }, before: null, after: { count } },
    })),
  );
});

test('only events of the project, the types and the tags are sent', async () => {
  const { id: sale } = await aTag(on, account.key, project.id, { name: 'sale' });
  await aTag(on, account.key, project.id, { name: 'other' });
  const another = await aProject(on, account.key);
  await aWebhook({ project_id: project.id, event_types: ['link.created', 'tag.*'], tag_ids: [sale] });
  await aDynamicLink(on, account.key, another.id, { name: 'elsewhere' });
  await aDynamicLink(on, account.key, project.id, { name: 'other', tags: ['other'] });
  const tagged = await aDynamicLink(on, account.key, project.id, { name: 'tagged', tags: ['sale'] });
  await rename(tagged.id, 'renamed');
  await aDynamicLink(on, account.key, project.id, { name: 'last', tags: ['sale'] });
  await until(() => receiver.accepted.length === 2);
  expect(receiver.accepted.map(({ data }) => data.after!['name'])).toEqual(['tagged', 'last']);
});

test('both secrets sign for a day after a rotation', async () => {
  const { id, secret } = await aWebhook({ event_types: ['link.*'] });
  const { secret: next } = await created<Revealed>(on, account.key, `${path}/${id}/rotate-secret`, {});
  await aDynamicLink(on, account.key, project.id);
  await until(() => receiver.received.length === 1);
  for (const one of [secret, next]) verify(one, receiver.received[0]!);
  await on.database.query('UPDATE webhook_endpoints SET former_until = now() WHERE id = $1', [id]);
  await aDynamicLink(on, account.key, project.id);
  await until(() => receiver.received.length === 2);
  expect(() => verify(secret, receiver.received[1]!)).toThrow();
  verify(next, receiver.received[1]!);
});

test('one event, and all since a time, are sent again with the same ids', async () => {
  const { id } = await aWebhook({ event_types: ['link.*'] });
  for (let at = 0; at < 2; at++) await aDynamicLink(on, account.key, project.id);
  const sent = await deliveriesIn(id, 'delivered', 2);
  await on.api('post', `${path}/${id}/deliveries/${sent[0]!.id}/redeliver`, account.key).expect(200);
  await until(() => receiver.received.length === 3);
  expect(receiver.received[2]!.id).toBe(sent[0]!.webhook_message_id);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await on.api('post', `${path}/${id}/replay`, account.key).send({ since }).expect(200);
  await until(() => receiver.received.length === 5);
  expect(receiver.accepted).toHaveLength(2);
});

test('a test event returns the answer of the endpoint', async () => {
  const { id, secret } = await aWebhook({ enabled: false });
  receiver.behaviour = refuses(418);
  const { body } = await on.api('post', `${path}/${id}/test`, account.key).expect(200);
  expect(body).toMatchObject({ data: { delivered: false, status: 418, answer: 'maintenance' } });
  expect(receiver.received[0]!.event).toMatchObject({ type: 'webhook.test', subject: id });
  verify(secret, receiver.received[0]!);
});

test('changes of endpoints are entries of the journal, without secrets', async () => {
  const { id, secret } = await aWebhook({ project_id: project.id });
  await on.api('post', `${path}/${id}/rotate-secret`, account.key).expect(201);
  await on.api('delete', `${path}/${id}`, account.key).expect(200);
  const data = await dataAt<{ type: string; project_id: null }[]>(on, account.key, '/account/audit-log?type=webhook');
  expect(data.map(({ type }) => type)).toEqual(['webhook.deleted', 'webhook.secret_rotated', 'webhook.created']);
  expect(data.every(({ project_id }) => project_id === null)).toBe(true);
  expect(JSON.stringify(data)).not.toMatch(/secret"|failing/);
  expect(JSON.stringify(data)).not.toContain(secret);
});
