import type { CustomDomain } from '../../../clients/typescript/src/index';
import { DomainChecks } from '../../../src/management-api/custom-domains/domain-checks';
import { aDynamicLink, aProject, aVerifiedDomain, type ProjectBody } from '../../support/builders';
import { createDatabase, type TestDatabase } from '../../support/database';
import { DnsServer, type Saying } from '../../support/dns-server';
import { aService, type TestAccount, type TestService } from '../../support/service';

const hour = 3_600_000;
const day = 24 * hour;

let dns: DnsServer;
let database: TestDatabase;
let on: TestService;
let other: TestService;
let account: TestAccount;
let project: ProjectBody;
beforeAll(async () => {
  dns = await DnsServer.start();
  database = await createDatabase();
  const settings = { DNS_RESOLVERS: dns.address, CUSTOM_DOMAINS_PER_PROJECT: '1000', METRICS_PORT: '0' };
  on = await aService(settings, database);
  other = await aService(settings, database);
  account = await on.anAccount('enterprise');
});
afterAll(async () => {
  await on.stop();
  await other.stop();
  await database.drop();
  await dns.stop();
});
beforeEach(async () => {
  on.clock.ahead = 0;
  other.clock.ahead = 0;
  await database.query('TRUNCATE projects CASCADE');
  project = await aProject(on, account.key);
});

const checksOf = (service: TestService): DomainChecks => service.service.app.get(DomainChecks);
const domain = (options: { active?: boolean } = {}) => aVerifiedDomain(on, dns, account.key, project.id, options);
const read = async ({ id }: { id: string }): Promise<CustomDomain> =>
  (
    (await on.api('get', `/projects/${project.id}/custom-domains/${id}`, account.key).expect(200)).body as {
      data: CustomDomain;
    }
  ).data;
const questionsFor = ({ verification_record: { name } }: CustomDomain): number =>
  dns.asked.filter((asked) => asked === name).length;

/** A sweep so long from now. */
async function sweepIn(milliseconds: number, service = on): Promise<void> {
  service.clock.ahead = milliseconds;
  await checksOf(service).sweep();
}

test('a proved domain is looked for once a day, and no pending one is', async () => {
  const proved = await domain({ active: true });
  const pending = (
    await on
      .api('post', `/projects/${project.id}/custom-domains`, account.key)
      .send({ hostname: 'pending.example.com' })
      .expect(201)
  ).body.data as CustomDomain;
  const before = questionsFor(proved);
  for (const [at, questions] of [
    [0, 0],
    [day - hour, 0],
    [day + hour, 1],
    [day + 2 * hour, 1],
    [2 * day, 1],
    [2 * day + 2 * hour, 2],
  ] as const) {
    await sweepIn(at);
    expect([at, questionsFor(proved) - before]).toEqual([at, questions]);
  }
  expect(questionsFor(pending)).toBe(0);
  const checked = await read(proved);
  expect(checked).toEqual({ ...proved, checked_at: checked.checked_at });
  expect(Date.parse(checked.checked_at!) - Date.parse(proved.checked_at!)).toBeGreaterThan(2 * day);
});

test('a missing record is reported, and after the grace time the domain is no longer active', async () => {
  const active = await domain({ active: true });
  const link = await aDynamicLink(on, account.key, project.id, { custom_path: 'sale' });
  expect(link.full_url).toContain(active.hostname);
  dns.forget(active.verification_record.name);

  await sweepIn(day + hour);
  const reported = await read(active);
  expect(reported).toMatchObject({ status: 'active', record_missing_since: reported.checked_at });
  expect(Date.parse(reported.record_missing_since!)).toBeGreaterThan(Date.parse(active.checked_at!) + day);
  for (let days = 2; days <= 7; days++) await sweepIn(days * day + 2 * hour);
  expect(await read(active)).toMatchObject({ status: 'active', record_missing_since: reported.record_missing_since });

  await sweepIn(8 * day + hour);
  expect(await read(active)).toMatchObject({
    status: 'pending',
    verified_at: null,
    record_missing_since: reported.record_missing_since,
  });
  const { body } = await on.api('get', `/projects/${project.id}/links/${link.id}`, account.key);
  expect(body.data.full_url).toBe(`http://${project.subdomain}.localhost:3000/sale`);
  const said = on.logLines.filter((line) => line.includes(active.hostname)).map((line) => JSON.parse(line) as object);
  const about = { level: 'warn', hostname: active.hostname, project_id: project.id };
  expect(said).toEqual([
    expect.objectContaining({ ...about, message: 'the record of a custom domain is missing' }),
    expect.objectContaining({ ...about, message: expect.stringContaining('not proved any longer') }),
  ]);
});

test('a record that comes back within the grace time is as if it had never been gone', async () => {
  const active = await domain({ active: true });
  dns.forget(active.verification_record.name);
  await sweepIn(day + hour);
  expect((await read(active)).record_missing_since).not.toBeNull();
  dns.publish(active.verification_record.name, active.verification_record.value);
  await sweepIn(2 * day + 2 * hour);
  expect(await read(active)).toMatchObject({ status: 'active', record_missing_since: null });
  dns.forget(active.verification_record.name);
  await sweepIn(8 * day);
  expect((await read(active)).status).toBe('active');
});

test('so is one that is verified by hand', async () => {
  const active = await domain({ active: true });
  dns.forget(active.verification_record.name);
  await sweepIn(day + hour);
  dns.publish(active.verification_record.name, active.verification_record.value);
  await on.api('post', `/projects/${project.id}/custom-domains/${active.id}/verify`, account.key).expect(200);
  expect(await read(active)).toMatchObject({ status: 'active', record_missing_since: null });
});

test('a domain that was lost is verified again with the same record', async () => {
  const active = await domain({ active: true });
  dns.forget(active.verification_record.name);
  await sweepIn(day + hour);
  await sweepIn(9 * day);
  expect((await read(active)).status).toBe('pending');
  dns.publish(active.verification_record.name, active.verification_record.value);
  await on.api('post', `/projects/${project.id}/custom-domains/${active.id}/verify`, account.key).expect(200);
  expect(await read(active)).toMatchObject({ status: 'verified', record_missing_since: null });
});

test.each<[string, Saying]>([
  ['fails', { status: 'SERVFAIL' }],
  ['refuses', { status: 'REFUSED' }],
  ['is silent', { status: 'silence' }],
  ['talks nonsense', { status: 'garbage' }],
  ['forges answers', { status: 'forged', texts: ['x'] }],
])('a DNS that %s says nothing of the record, for however long', async (_, saying) => {
  const active = await domain({ active: true });
  dns.say(active.verification_record.name, saying);
  await sweepIn(day + hour);
  const asked = questionsFor(active);
  await sweepIn(day + hour + 30 * 60_000);
  expect(questionsFor(active)).toBe(asked);
  await sweepIn(day + 3 * hour);
  expect(questionsFor(active)).toBeGreaterThan(asked);
  await sweepIn(30 * day);
  expect(await read(active)).toEqual(active);
  dns.publish(active.verification_record.name, active.verification_record.value);
  await sweepIn(31 * day);
  expect((await read(active)).status).toBe('active');
});

test('a DNS that fails after the record was gone does not end the proof either', async () => {
  const active = await domain({ active: true });
  dns.forget(active.verification_record.name);
  await sweepIn(day + hour);
  dns.say(active.verification_record.name, { status: 'SERVFAIL' });
  await sweepIn(20 * day);
  expect((await read(active)).status).toBe('active');
});

test('of two replicas that sweep at once each domain is looked for by one, and all are', async () => {
  const domains: CustomDomain[] = [];
  for (let made = 0; made < 50; made++) domains.push(await domain());
  const before = domains.map(questionsFor);
  await Promise.all([sweepIn(day + hour), sweepIn(day + hour, other)]);
  expect(domains.map((one, at) => questionsFor(one) - before[at]!)).toEqual(domains.map(() => 1));
});

test('what a crash cut short is looked for by whoever sweeps when its lease is over', async () => {
  const proved = await domain();
  // As far as a process gets that dies while it waits for the DNS.
  await database.query('UPDATE custom_domains SET next_check_at = $1', [new Date(Date.now() + day + 5 * 60_000)]);
  const before = questionsFor(proved);
  await sweepIn(day + 60_000, other);
  expect(questionsFor(proved)).toBe(before);
  await sweepIn(day + 6 * 60_000, other);
  expect(questionsFor(proved)).toBe(before + 1);
});

test('a look that comes to an end after the domain was proved anew says nothing', async () => {
  const proved = await domain();
  const { name, value } = proved.verification_record;
  dns.say(name, { status: 'silence' });
  const sweeping = sweepIn(day + hour);
  await new Promise((resolve) => setTimeout(resolve, 300));
  dns.publish(name, value);
  await on.api('post', `/projects/${project.id}/custom-domains/${proved.id}/verify`, account.key).expect(200);
  dns.forget(name);
  await sweeping;
  expect((await read(proved)).record_missing_since).toBeNull();
});

test('Prometheus is told how many records are missing, and what looks came to', async () => {
  const scrape = async (): Promise<string> =>
    (await fetch(`http://127.0.0.1:${on.service.metricsPort}/metrics`)).text();
  const [kept, gone, silent] = [await domain(), await domain(), await domain()];
  dns.forget(gone.verification_record.name);
  dns.say(silent.verification_record.name, { status: 'SERVFAIL' });
  const before = { ...checksOf(on).counts };
  await sweepIn(day + hour);
  const text = await scrape();
  expect(text).toContain('signpost_custom_domains_record_missing 1\n');
  for (const result of ['found', 'missing', 'unanswered'] as const)
    expect(text).toContain(`signpost_custom_domain_checks_total{result="${result}"} ${before[result] + 1}\n`);
  expect((await read(kept)).record_missing_since).toBeNull();
  dns.publish(gone.verification_record.name, gone.verification_record.value);
  await sweepIn(2 * day + 2 * hour);
  expect(await scrape()).toContain('signpost_custom_domains_record_missing 0\n');
});

test('a sweep without a database is told, and the next one goes on', async () => {
  const proved = await domain();
  await database.query('ALTER TABLE custom_domains RENAME TO hidden');
  await sweepIn(day + hour);
  await database.query('ALTER TABLE hidden RENAME TO custom_domains');
  expect(on.logLines.some((line) => line.includes('custom domains are checked later'))).toBe(true);
  const before = questionsFor(proved);
  await sweepIn(day + hour);
  expect(questionsFor(proved)).toBe(before + 1);
});
