import type { CustomDomain } from '../../../clients/typescript/src/index';
import {
  aCustomDomain,
  aDynamicLink,
  aHostname,
  aProject,
  aVerifiedDomain,
  type ProjectBody,
  unknownId,
} from '../../support/builders';
import { changingNothing } from '../../support/content';
import { DnsServer } from '../../support/dns-server';
import { problem } from '../../support/problem';
import { aService, type TestService } from '../../support/service';

let dns: DnsServer;
let on: TestService;
let key: string;
let project: ProjectBody;
let domains: string;
beforeAll(async () => {
  dns = await DnsServer.start();
  on = await aService({
    DNS_RESOLVERS: dns.address,
    CUSTOM_DOMAINS_PER_PROJECT: '3',
    LINK_BASE_URL: 'http://go.example.com:3000',
    API_BASE_URL: 'http://api.example.net:3000',
  });
});
afterAll(async () => {
  await on.stop();
  await dns.stop();
});
beforeEach(async () => {
  ({ key } = await on.anAccount('free'));
  project = await aProject(on, key);
  domains = `/projects/${project.id}/custom-domains`;
});

const read = async (id: string): Promise<CustomDomain> =>
  ((await on.api('get', `${domains}/${id}`, key).expect(200)).body as { data: CustomDomain }).data;
const verify = (id: string) => on.api('post', `${domains}/${id}/verify`, key);
const put = (id: string, body: object) => on.api('put', `${domains}/${id}`, key).send(body);

describe('POST /custom-domains', () => {
  test.each([
    'go.example.com',
    'GO.example.com.',
    'x.go.example.com',
    'a.b.go.example.com',
    'api.example.net',
    'API.Example.NET',
  ])('returns INVALID_INPUT for %s, a host of the service', async (hostname) => {
    const add = () => on.api('post', domains, key).send({ hostname });
    expect(await changingNothing(on, add)).toBeRefusedWith('INVALID_INPUT', [problem('invalid_format', 'hostname')]);
  });

  test('accepts the parent of the link domain', async () => {
    expect(await aCustomDomain(on, key, project.id, 'example.com')).toMatchObject({ status: 'pending' });
  });

  test('returns ACCESS_DENIED beyond CUSTOM_DOMAINS_PER_PROJECT, before it checks the host name', async () => {
    const first = await aCustomDomain(on, key, project.id);
    await aCustomDomain(on, key, project.id);
    await aCustomDomain(on, key, project.id);
    for (const hostname of [aHostname(), first.hostname])
      expect(await changingNothing(on, () => on.api('post', domains, key).send({ hostname }))).toBeRefusedWith(
        'ACCESS_DENIED',
        { limit: 3, used: 3, current_plan: 'free', required_plan: null },
      );
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
    ['NODATA', { status: 'NODATA' as const }, 'no_record', []],
    ['another value', { texts: ['mistyped'] }, 'other_value', ['mistyped']],
    ['SERVFAIL', { status: 'SERVFAIL' as const }, 'no_answer', []],
  ])('returns DOMAIN_NOT_VERIFIED and changes nothing if the response is %s', async (_, dnsResponse, reason, found) => {
    const { id, verification_record: record } = await aCustomDomain(on, key, project.id);
    dns.setResponse(record.name, dnsResponse);
    expect(await changingNothing(on, () => verify(id))).toBeRefusedWith('DOMAIN_NOT_VERIFIED', {
      reason,
      record,
      found,
    });
  });

  test('returns at most ten found values of 100 characters', async () => {
    const { id, verification_record: record } = await aCustomDomain(on, key, project.id);
    dns.setResponse(record.name, { truncated: Array.from({ length: 30 }, () => ['y'.repeat(200), '\ud800<b>']) });
    const response = await verify(id);
    expect(response.body.error.details.found).toEqual(Array.from({ length: 10 }, () => 'y'.repeat(100)));
  });

  test('requires the exact record value of this domain', async () => {
    const hostname = aHostname();
    const other = await on.anAccount();
    const theirs = await aCustomDomain(on, other.key, (await aProject(on, other.key)).id, hostname);
    const mine = await aCustomDomain(on, key, project.id, hostname);
    const { name, value } = mine.verification_record;
    dns.publish(name, theirs.verification_record.value, value.toUpperCase(), `"${value}"`, `${value}x`);
    expect(await verify(mine.id)).toBeRefusedWith('DOMAIN_NOT_VERIFIED');
  });
});

describe('the verification of a host name that another project has verified', () => {
  let theirs: CustomDomain;
  let theirKey: string;
  let hostname: string;
  let mine: CustomDomain;
  beforeEach(async () => {
    hostname = aHostname();
    theirKey = (await on.anAccount()).key;
    theirs = await aVerifiedDomain(on, dns, theirKey, (await aProject(on, theirKey)).id, { hostname, active: true });
    mine = await aCustomDomain(on, key, project.id, hostname);
  });

  const publish = (...claims: CustomDomain[]) =>
    dns.publish(theirs.verification_record.name, ...claims.map((claim) => claim.verification_record.value));
  const statusOf = async ({ id }: CustomDomain): Promise<unknown> =>
    (
      await on.database.query(
        `SELECT CASE WHEN active THEN 'active' WHEN verified_at IS NOT NULL THEN 'verified' ELSE 'pending' END AS status
         FROM custom_domains WHERE id = $1`,
        [id],
      )
    )[0]!['status'];
  const setMissingFor = (milliseconds: number) =>
    on.database.query('UPDATE custom_domains SET record_missing_since = $2 WHERE id = $1', [
      theirs.id,
      new Date(Date.now() - milliseconds),
    ]);
  const day = 86_400_000;

  test('returns DOMAIN_TAKEN while the record of that project exists', async () => {
    publish(theirs, mine);
    expect(await changingNothing(on, () => verify(mine.id))).toBeRefusedWith('DOMAIN_TAKEN');
  });

  test('returns DOMAIN_TAKEN during the grace period of a missing record', async () => {
    await setMissingFor(6 * day);
    publish(mine);
    expect(await changingNothing(on, () => verify(mine.id))).toBeRefusedWith('DOMAIN_TAKEN');
  });

  test('succeeds after the grace period', async () => {
    await setMissingFor(8 * day);
    publish(mine);
    await verify(mine.id).expect(200);
    expect([await statusOf(theirs), await statusOf(mine)]).toEqual(['pending', 'verified']);
  });

  test('returns DOMAIN_TAKEN if the record is back after the grace period', async () => {
    await setMissingFor(8 * day);
    publish(theirs, mine);
    expect(await changingNothing(on, () => verify(mine.id))).toBeRefusedWith('DOMAIN_TAKEN');
  });

  test('succeeds after that project deletes the domain', async () => {
    publish(theirs, mine);
    await on.api('delete', `/projects/${theirs.project_id}/custom-domains/${theirs.id}`, theirKey).expect(200);
    await verify(mine.id).expect(200);
    expect(await on.database.query('SELECT FROM custom_domains WHERE id = $1', [theirs.id])).toEqual([]);
  });
});

describe('PUT with active', () => {
  test('changes every URL of the project', async () => {
    const domain = await aVerifiedDomain(on, dns, key, project.id);
    const link = await aDynamicLink(on, key, project.id, { custom_path: 'sale' });
    const url = async (): Promise<string> =>
      ((await on.api('get', `/projects/${project.id}/links/${link.id}`, key)).body.data as { full_url: string })
        .full_url;
    const subdomainUrl = `http://${project.subdomain}.go.example.com:3000/sale`;
    expect(await url()).toBe(subdomainUrl);
    expect((await put(domain.id, { active: true }).expect(200)).body.data.status).toBe('active');
    expect(await url()).toBe(`http://${domain.hostname}:3000/sale`);
    expect((await put(domain.id, { active: false }).expect(200)).body.data.status).toBe('verified');
    expect(await url()).toBe(subdomainUrl);
  });

  test('refuses both uses at once before it looks for the domain', async () => {
    expect(await put(unknownId, { active: true, open_host: true })).toBeRefusedWith('INVALID_INPUT', [
      problem('invalid_format', 'open_host'),
    ]);
  });
});

describe('a request', () => {
  test('to verify a domain of another account sends no DNS query', async () => {
    const other = await on.anAccount();
    const { id } = await aCustomDomain(on, other.key, (await aProject(on, other.key)).id);
    const before = dns.queriedNames.length;
    expect(await verify(id)).toBeRefusedWith('NOT_FOUND');
    expect(dns.queriedNames.length).toBe(before);
  });
});

test('the ETag of a domain changes when another one becomes active', async () => {
  const first = await aVerifiedDomain(on, dns, key, project.id, { active: true });
  const second = await aVerifiedDomain(on, dns, key, project.id);
  const tag = (await on.api('get', `${domains}/${first.id}`, key).expect(200)).headers['etag']!;
  await put(second.id, { active: true }).expect(200);
  const late = () => put(first.id, { active: true }).set('If-Match', tag);
  expect(await changingNothing(on, late)).toBeRefusedWith('PRECONDITION_FAILED');
});
