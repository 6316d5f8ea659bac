import { setTimeout as delay } from 'node:timers/promises';
import { accepts, type Behaviour, hangs, Receiver, refuses } from '../tenancy/webhooks/receiver';
import { until } from '../support/eventually';
import type { Answer } from '../support/ask';
import type { Program } from '../support/process';
import { scaled } from '../support/scale';
import { useInstallation } from './installation';
import { fixture, dnsFixture } from '../support/fixtures';

// Two replicas send events while each is killed in turn, and the receiver fails in each way and comes back. 100,000 changes and 50 kills:
// `WEBHOOK_CHANGES=100000 WEBHOOK_KILLS=50 .ci/nightly faults`.
jest.setTimeout(7_200_000);

const changes = Number(process.env['WEBHOOK_CHANGES'] ?? scaled(5000));
const kills = Number(process.env['WEBHOOK_KILLS'] ?? Math.max(4, scaled(10)));
const clients = 8;

const faults: Behaviour[] = [refuses(500), hangs, (response) => response.destroy(), refuses(301, { Location: '/' })];

const dns = dnsFixture();
const receiver = fixture(() => Receiver.start());
beforeAll(() => dns.setResponse('hooks.example.com', { addresses: ['127.0.0.1'] }));
let replicas: Program[];
const on = useInstallation('changed', {
  environment: () => ({ DNS_RESOLVERS: dns.address, WEBHOOK_PRIVATE_ADDRESSES: 'true' }),
});
beforeAll(async () => {
  replicas = [on.service, await on.replica()];
});

test('each event arrives at least once, signed, and in order for its resource', async () => {
  const { key, account } = on;
  const ask = (path: string, method: string, body: object) =>
    replicas[Math.floor(performance.now()) % 2]!.ask(path, { method, key, body });
  const events = { url: receiver.url(), event_types: ['link.*'] };
  receiver.secret = String((await ask('/api/v1/account/webhooks', 'POST', events)).json.data['secret']);

  let done = 0;
  const client = async (number: number) => {
    let id: string | null = null;
    for (let at = 0; done < changes; at++) {
      const body = { name: `Link ${number} ${at}` };
      const answer: Answer = await (id === null ? ask(on.links, 'POST', body) : ask(`${on.links}/${id}`, 'PUT', body));
      // The replica was killed.
      if (answer.status === 0) await delay(20);
      else done++;
      if (answer.status === 201) id = String(answer.json.data['id']);
    }
  };
  const working = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  for (let killed = 0; killed < kills; killed++) {
    receiver.behaviour = killed % 2 === 0 ? accepts : faults[(killed >> 1) % faults.length]!;
    while (done < ((killed + 1) * changes) / (kills + 1)) await delay(5);
    await replicas[killed % 2]!.kill();
    replicas[killed % 2] = await on.replica();
  }
  await working;
  receiver.behaviour = accepts;
  const { count } = (
    await on.cluster.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM journal WHERE account_id = '${account.account.id}' AND starts_with(type, 'link.'))::int
         + (SELECT count(*) FROM journal_inbox WHERE starts_with(type, 'link.'))::int AS count`,
    )
  )[0]!;
  await until(async () => {
    // Pauses grow to hours.
    await on.cluster.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'waiting' AND next_attempt_at IS NOT NULL`,
    );
    await on.cluster.query('UPDATE webhook_positions SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL');
    await delay(1000);
    return receiver.accepted.length >= count;
  }, 600_000);

  expect(receiver.accepted).toHaveLength(count);
  expect(count).toBeGreaterThanOrEqual(changes);
  expect(receiver.refused).toEqual([]);
  const last = new Map<string, number>();
  for (const { subject, id } of receiver.accepted) {
    expect(Number(id)).toBeGreaterThan(last.get(subject!) ?? 0);
    last.set(subject!, Number(id));
  }
});
