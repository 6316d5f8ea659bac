import type { CustomDomain } from '../../../clients/typescript/src/index';
import { DomainChecks } from '../../../src/links/custom-domains/domain-checks';
import {
  aCustomDomain,
  aHostname,
  aProject,
  aVerifiedDomain,
  dataAt,
  type ProjectBody,
  unknownId,
} from '../../support/builders';
import { changingNothing } from '../../support/content';
import { problem } from '../../support/problem';
import { rounds } from '../../support/scale';
import { dnsFixture, serviceFixture } from '../../support/fixtures';
import type { TestAccount } from '../../support/service';
import { words } from '../../support/words';

const dns = dnsFixture();
const on = serviceFixture(() => ({
  DNS_RESOLVERS: dns.address,
  CUSTOM_DOMAINS_PER_PROJECT: '3',
  SUBDOMAIN_HOLD_DAYS: '30',
  LINK_BASE_URL: 'http://go.example.com:3000',
  API_BASE_URL: 'http://api.example.net:3000',
}));
let key: string;
let project: ProjectBody;
let domains: string;
beforeEach(async () => {
  ({ key } = await on.anAccount('free'));
  project = await aProject(on, key);
  domains = `/projects/${project.id}/custom-domains`;
});

const read = (id: string) => dataAt<CustomDomain>(on, key, `${domains}/${id}`);
const verify = (id: string) => on.api('post', `${domains}/${id}/verify`, key);
const put = (id: string, body: object) => on.api('put', `${domains}/${id}`, key).send(body);

describe('POST /custom-domains', () => {
  const ofService = words(
    'go.example.com GO.example.com. x.go.example.com a.b.go.example.com api.example.net API.Example.NET',
  );
  test.each(ofService)('returns INVALID_INPUT for %s, a host of the service', async (hostname) => {
    const add = () => on.api('post', domains, key).send({ hostname });
    expect(await changingNothing(on, add)).toBeRefusedWith('INVALID_INPUT', [problem('invalid_format', 'hostname')]);
  });

  test('returns ACCESS_DENIED beyond CUSTOM_DOMAINS_PER_PROJECT, before it checks the host name', async () => {
    const first = await aCustomDomain(on, key, project.id);
    await aCustomDomain(on, key, project.id);
    await aCustomDomain(on, key, project.id);
    const details = { limit: 3, used: 3, current_plan: 'free', required_plan: null };
    for (const hostname of [aHostname(), first.hostname]) {
      const add = () => on.api('post', domains, key).send({ hostname });
      expect(await changingNothing(on, add)).toBeRefusedWith('ACCESS_DENIED', details);
    }
    await on.api('delete', `${domains}/${first.id}`, key).expect(200);
    await aCustomDomain(on, key, project.id);
  });
});

describe('POST …/verify', () => {
  test('verifies the domain by one of several TXT records', async () => {
    const { id, hostname, verification_record: record } = await aCustomDomain(on, key, project.id);
    dns.publish(record.name, 'v=spf1 -all', record.value, 'something else');
    const before = on.clock.now();
    const response = await verify(id).expect(200);
    const after = on.clock.now();
    const verified = response.body.data as CustomDomain;
    expect(verified).toMatchObject({ status: 'verified', hostname, record_missing_since: null });
    expect(verified.verified_at).toEqual(verified.checked_at);
    expect(Date.parse(verified.verified_at!)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(verified.verified_at!)).toBeLessThanOrEqual(after);
    expect(await read(id)).toEqual(verified);
  });

  test.each([
    ['NXDOMAIN', { status: 'NXDOMAIN' as const }, 'no_record', []],
    ['another value', { texts: ['mistyped'] }, 'other_value', ['mistyped']],
    ['SERVFAIL', { status: 'SERVFAIL' as const }, 'no_answer', []],
  ])('returns DOMAIN_NOT_VERIFIED and changes nothing if the response is %s', async (_, dnsResponse, reason, found) => {
    const { id, verification_record: record } = await aCustomDomain(on, key, project.id);
    dns.setResponse(record.name, dnsResponse);
    const refused = await changingNothing(on, () => verify(id));
    expect(refused).toBeRefusedWith('DOMAIN_NOT_VERIFIED', { reason, record, found });
  });

  test('returns at most ten found values of 100 characters', async () => {
    const { id, verification_record: record } = await aCustomDomain(on, key, project.id);
    dns.setResponse(record.name, { truncated: Array.from({ length: 30 }, () => ['y'.repeat(200), '\ud800<b>']) });
    const response = await verify(id);
    expect(response.body.error.details.found).toEqual(Array.from({ length: 10 }, () => 'y'.repeat(100)));
  });
});

describe('the verification of a host name that another project has verified', () => {
  let owner: TestAccount;
  let theirs: CustomDomain;
  let hostname: string;
  let mine: CustomDomain;
  beforeEach(async () => {
    hostname = aHostname();
    owner = await on.anAccount();
    theirs = await aVerifiedDomain(on, dns, owner.key, (await aProject(on, owner.key)).id, { hostname, active: true });
    mine = await aCustomDomain(on, key, project.id, hostname);
  });

  const publish = (...claims: CustomDomain[]) =>
    dns.publish(theirs.verification_record.name, ...claims.map((claim) => claim.verification_record.value));
  const rowsIn = (table: 'custom_domains' | 'held_domains') =>
    on.database.query(`SELECT * FROM ${table} WHERE hostname = $1`, [hostname]);
  const isRefused = async (code: 'DOMAIN_TAKEN' | 'DOMAIN_NOT_VERIFIED' = 'DOMAIN_TAKEN') =>
    expect(await changingNothing(on, () => verify(mine.id))).toBeRefusedWith(code);

  test.each<[what: string, missingDays: number, records: () => CustomDomain[]]>([
    ['while the record of that project exists', 0, () => [theirs, mine]],
    ['during the grace period of a missing record', 6, () => [mine]],
    ['if the record is back after the grace period', 8, () => [theirs, mine]],
  ])('returns DOMAIN_TAKEN %s', async (_, missingDays, records) => {
    await setMissingFor(missingDays);
    publish(...records());
    await isRefused();
  });

  const setMissingFor = (days: number) =>
    on.database.query(
      'UPDATE custom_domains SET record_missing_since = now() - make_interval(days => $2) WHERE id = $1',
      [theirs.id, days],
    );

  test('succeeds after the grace period', async () => {
    await setMissingFor(8);
    publish(mine);
    await verify(mine.id).expect(200);
    const verified = (await rowsIn('custom_domains')).filter((row) => row['verified_at'] !== null);
    expect(verified).toMatchObject([{ id: mine.id, active: false }]);
  });

  test('succeeds after that project deletes the domain', async () => {
    publish(theirs, mine);
    await on.api('delete', `/projects/${theirs.project_id}/custom-domains/${theirs.id}`, owner.key).expect(200);
    await verify(mine.id).expect(200);
    expect(await rowsIn('custom_domains')).toMatchObject([{ id: mine.id }]);
  });

  describe('and that is deleted', () => {
    const deleteProject = () => on.api('delete', `/projects/${theirs.project_id}`, owner.key).expect(200);
    const age = (days: number) =>
      on.database.query(`UPDATE held_domains SET left_at = left_at - make_interval(days => $1)`, [days]);

    test('returns DOMAIN_TAKEN while its record exists', async () => {
      await deleteProject();
      publish(theirs, mine);
      await isRefused();
      publish(mine);
      await verify(mine.id).expect(200);
      expect(await rowsIn('held_domains')).toEqual([]);
      publish(theirs, mine);
      await verify(mine.id).expect(200);
    });

    test('returns DOMAIN_NOT_VERIFIED while its record cannot be queried', async () => {
      await deleteProject();
      dns.setResponse(theirs.verification_record.name, { status: 'SERVFAIL' });
      await isRefused('DOMAIN_NOT_VERIFIED');
    });

    test('succeeds for the same account at once', async () => {
      await deleteProject();
      const again = await aCustomDomain(on, owner.key, (await aProject(on, owner.key)).id, hostname);
      publish(theirs, again);
      await on.api('post', `/projects/${again.project_id}/custom-domains/${again.id}/verify`, owner.key).expect(200);
      await isRefused('DOMAIN_NOT_VERIFIED');
    });

    test('succeeds after SUBDOMAIN_HOLD_DAYS, and a sweep deletes the row of the held domain', async () => {
      await deleteProject();
      publish(theirs, mine);
      const sweep = () => on.service.app.get(DomainChecks).sweep();
      await age(29);
      await sweep();
      await isRefused();
      await age(2);
      await sweep();
      expect(await rowsIn('held_domains')).toEqual([]);
      await verify(mine.id).expect(200);
    });

    test('with its account is not held', async () => {
      await on.database.query('DELETE FROM projects WHERE id = $1', [theirs.project_id]);
      expect(await rowsIn('held_domains')).toHaveLength(1);
      for (const table of ['api_keys', 'users'])
        await on.database.query(`DELETE FROM ${table} WHERE account_id = $1`, [owner.accountId]);
      await on.database.query('DELETE FROM accounts WHERE id = $1', [owner.accountId]);
      expect(await rowsIn('held_domains')).toEqual([]);
    });

    test.each(rounds(5))('returns DOMAIN_TAKEN during the deletion (round %d)', async () => {
      publish(theirs, mine);
      const [, ...answers] = await Promise.all([deleteProject(), ...Array.from({ length: 8 }, () => verify(mine.id))]);
      for (const answer of [...answers, await verify(mine.id)]) expect(answer).toBeRefusedWith('DOMAIN_TAKEN');
    });
  });
});

test('PUT refuses both uses at once before it looks for the domain', async () => {
  const refused = await put(unknownId, { active: true, open_host: true });
  expect(refused).toBeRefusedWith('INVALID_INPUT', [problem('invalid_format', 'open_host')]);
});

test('a request to verify a domain of another account sends no DNS query', async () => {
  const other = await on.anAccount();
  const { id } = await aCustomDomain(on, other.key, (await aProject(on, other.key)).id);
  const before = dns.queriedNames.length;
  expect(await verify(id)).toBeRefusedWith('NOT_FOUND');
  expect(dns.queriedNames.length).toBe(before);
});

test('the ETag of a domain changes when another one becomes active', async () => {
  const first = await aVerifiedDomain(on, dns, key, project.id, { active: true });
  const second = await aVerifiedDomain(on, dns, key, project.id);
  const tag = (await on.api('get', `${domains}/${first.id}`, key).expect(200)).headers['etag']!;
  await put(second.id, { active: true }).expect(200);
  const late = () => put(first.id, { active: true }).set('If-Match', tag);
  expect(await changingNothing(on, late)).toBeRefusedWith('PRECONDITION_FAILED');
});
