import type { CustomDomain } from '../../../clients/typescript/src/index';
import { DomainChecks } from '../../../src/links/custom-domains/domain-checks';
import { aCustomDomain, aDynamicLink, aProject, aVerifiedDomain, dataAt } from '../../support/builders';
import type { TestService } from '../../support/service';
import { eventually } from '../../support/eventually';
import { accountFixture, dnsFixture, fixtureOfEach, serviceFixture } from '../../support/fixtures';

const hour = 3_600_000;
const day = 24 * hour;

const dns = dnsFixture();
const settings = () => ({ DNS_RESOLVERS: dns.address, CUSTOM_DOMAINS_PER_PROJECT: '1000', METRICS_PORT: '0' });
const on = serviceFixture(settings);
const replica = serviceFixture(settings, () => on.database);
const account = accountFixture(on);
const project = fixtureOfEach(() => aProject(on, account.key));
/** The time that has passed in the test, by the rows of the database. */
let passedMs: number;
beforeEach(async () => {
  passedMs = 0;
  // Not TRUNCATE, whose locks could meet those of a background job.
  await on.database.query('DELETE FROM custom_domains');
});

const checksOf = (service: TestService): DomainChecks => service.service.app.get(DomainChecks);
const aDomain = (options: { active?: boolean } = {}) => aVerifiedDomain(on, dns, account.key, project.id, options);
const read = ({ id }: { id: string }) =>
  dataAt<CustomDomain>(on, account.key, `/projects/${project.id}/custom-domains/${id}`);
const queriesFor = ({ verification_record: { name } }: CustomDomain): number =>
  dns.queriedNames.filter((asked) => asked === name).length;

/** Makes the domains older, so that so much time has passed since the start of the test. */
async function passUntil(milliseconds: number): Promise<void> {
  await on.database.query(
    `UPDATE custom_domains SET next_check_at = next_check_at - passed, record_missing_since = record_missing_since - passed
     FROM (SELECT $1 * interval '1 millisecond' AS passed) AS time`,
    [milliseconds - passedMs],
  );
  passedMs = milliseconds;
}

async function sweepIn(milliseconds: number, service = on): Promise<void> {
  await passUntil(milliseconds);
  await checksOf(service).sweep();
  service.noteWrite();
}

test('a verified domain is checked after a day, and a pending one never', async () => {
  const [verified, pending] = [await aDomain({ active: true }), await aCustomDomain(on, account.key, project.id)];
  const before = queriesFor(verified);
  await sweepIn(2 * day);
  expect([queriesFor(verified) - before, queriesFor(pending)]).toEqual([1, 0]);
  const checked = await read(verified);
  expect(checked).toEqual({ ...verified, checked_at: checked.checked_at });
  expect(Date.parse(checked.checked_at!)).toBeGreaterThan(Date.parse(verified.checked_at!));
});

test('a missing record is reported, and the domain becomes pending after the grace period', async () => {
  const active = await aDomain({ active: true });
  const link = await aDynamicLink(on, account.key, project.id, { custom_path: 'sale' });
  expect(link.full_url).toContain(active.hostname);
  dns.remove(active.verification_record.name);

  await sweepIn(day + hour);
  const reported = await read(active);
  expect(reported).toMatchObject({ status: 'active', record_missing_since: reported.checked_at });
  const missingSince = (agoMs: number) => new Date(Date.parse(reported.record_missing_since!) - agoMs).toISOString();
  expect(Date.parse(reported.record_missing_since!)).toBeGreaterThan(Date.parse(active.checked_at!));
  for (let days = 2; days <= 7; days++) await sweepIn(days * day + 2 * hour);
  expect(await read(active)).toMatchObject({ status: 'active', record_missing_since: missingSince(6 * day + hour) });

  await sweepIn(8 * day + hour);
  const lost = { status: 'pending', verified_at: null, record_missing_since: missingSince(7 * day) };
  expect(await read(active)).toMatchObject(lost);
  const { body } = await on.api('get', `/projects/${project.id}/links/${link.id}`, account.key);
  expect(body.data.full_url).toBe(`http://${project.subdomain}.localhost:3000/sale`);
  const history = await on.api('get', `/projects/${project.id}/history?type=domain.proof_lost`, account.key);
  expect((history.body as { data: object[] }).data).toMatchObject([
    { after: { hostname: active.hostname }, actor: { kind: 'service' } },
  ]);
  const logged = on.logLines.filter((line) => line.includes(active.hostname)).map((line) => JSON.parse(line) as object);
  const context = { level: 'warn', hostname: active.hostname, project_id: project.id };
  expect(logged).toEqual([
    expect.objectContaining({ ...context, message: 'the record of a custom domain is missing' }),
    expect.objectContaining({ ...context, message: expect.stringContaining('lost its verification') }),
  ]);
});

test('each domain is checked by one of two replicas that sweep concurrently', async () => {
  const domains: CustomDomain[] = [];
  for (let made = 0; made < 10; made++) domains.push(await aDomain());
  const before = domains.map(queriesFor);
  await passUntil(day + hour);
  await Promise.all([checksOf(on).sweep(), checksOf(replica).sweep()]);
  expect(domains.map((one, at) => queriesFor(one) - before[at]!)).toEqual(domains.map(() => 1));
});

test('a check that a crash interrupted is repeated by another replica after its lock expires', async () => {
  const verified = await aDomain();
  // A process that crashes during its DNS query leaves this state.
  await on.database.query('UPDATE custom_domains SET next_check_at = $1', [new Date(Date.now() + day + 5 * 60_000)]);
  const before = queriesFor(verified);
  await sweepIn(day + 60_000, replica);
  expect(queriesFor(verified)).toBe(before);
  await sweepIn(day + 6 * 60_000, replica);
  expect(queriesFor(verified)).toBe(before + 1);
});

test('a check that ends after a successful verify request does not change the domain', async () => {
  const verified = await aDomain();
  const { name, value } = verified.verification_record;
  dns.setResponse(name, { status: 'silence' });
  const before = queriesFor(verified);
  const sweeping = sweepIn(day + hour);
  await eventually(() => queriesFor(verified) > before);
  dns.publish(name, value);
  await on.api('post', `/projects/${project.id}/custom-domains/${verified.id}/verify`, account.key).expect(200);
  dns.remove(name);
  await sweeping;
  expect((await read(verified)).record_missing_since).toBeNull();
});

test('the metrics contain the number of missing records and the results of checks', async () => {
  const scrape = async (): Promise<string> =>
    (await fetch(`http://127.0.0.1:${on.service.metricsPort}/metrics`)).text();
  const [kept, gone, silent] = [await aDomain(), await aDomain(), await aDomain()];
  dns.remove(gone.verification_record.name);
  dns.setResponse(silent.verification_record.name, { status: 'SERVFAIL' });
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
