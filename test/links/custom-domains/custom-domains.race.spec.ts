import type { CustomDomain } from '../../../clients/typescript/src/index';
import { aCustomDomain, aHostname, aProject, aVerifiedDomain } from '../../support/builders';
import { untilLocked } from '../../support/lock-waits';
import { withTransaction } from '../../support/other-session';
import { dnsFixture, serviceFixture } from '../../support/fixtures';
import { rounds } from '../../support/scale';

const dns = dnsFixture();
const on = serviceFixture(() => ({ DNS_RESOLVERS: dns.address, CUSTOM_DOMAINS_PER_PROJECT: '5' }));

interface Claim {
  key: string;
  domain: CustomDomain;
}

async function aClaim(hostname: string): Promise<Claim> {
  const { key } = await on.anAccount();
  return { key, domain: await aCustomDomain(on, key, (await aProject(on, key)).id, hostname) };
}

const pathOf = ({ project_id, id }: CustomDomain): string => `/projects/${project_id}/custom-domains/${id}`;
const verify = ({ key, domain }: Claim) => on.api('post', `${pathOf(domain)}/verify`, key);
const publish = (claims: Claim[]) =>
  dns.publish(
    claims[0]!.domain.verification_record.name,
    ...claims.map(({ domain }) => domain.verification_record.value),
  );

const verifiedIds = async (hostname: string): Promise<string[]> =>
  (
    await on.database.query<{ id: string }>(
      'SELECT id FROM custom_domains WHERE hostname = $1 AND verified_at IS NOT NULL',
      [hostname],
    )
  ).map(({ id }) => id);

describe.each(['a free', 'a lost'])('%s host name', (which) => {
  test.each(rounds(5))('is verified by one of ten projects that do so concurrently (round %d)', async () => {
    const hostname = aHostname();
    if (which === 'a lost') {
      const { key } = await on.anAccount();
      const before = await aVerifiedDomain(on, dns, key, (await aProject(on, key)).id, { hostname, active: true });
      const missing = "UPDATE custom_domains SET record_missing_since = now() - interval '8 days' WHERE id = $1";
      await on.database.query(missing, [before.id]);
    }
    const claims = await Promise.all(Array.from({ length: 10 }, () => aClaim(hostname)));
    publish(claims);
    const responses = await Promise.all(claims.map(verify));
    const winners = claims.filter((_, at) => responses[at]!.status === 200);
    expect(winners).toHaveLength(1);
    if (which === 'a free')
      for (const response of responses.filter(({ status }) => status !== 200))
        expect(response).toBeRefusedWith('DOMAIN_TAKEN');
    expect(await verifiedIds(hostname)).toEqual([winners[0]!.domain.id]);
  });
});

test.each(rounds(5))('one of several concurrently activated domains of a project is active (round %d)', async () => {
  const { key } = await on.anAccount();
  const project = await aProject(on, key);
  const domains: CustomDomain[] = [];
  for (let made = 0; made < 5; made++) domains.push(await aVerifiedDomain(on, dns, key, project.id));
  const activate = (domain: CustomDomain) => on.api('put', pathOf(domain), key).send({ active: true });
  const conditionally = (domain: CustomDomain) => activate(domain).set('If-Match', '*');
  // None waits for a deadlock, with If-Match and without.
  const responses = await Promise.all(
    domains.flatMap((domain) => [conditionally(domain), conditionally(domain), activate(domain), activate(domain)]),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const list = await on.api('get', `/projects/${project.id}/custom-domains`, key).expect(200);
  const statuses = (list.body.data as CustomDomain[]).map(({ status }) => status);
  expect(statuses.sort()).toEqual(['active', 'verified', 'verified', 'verified', 'verified']);
});

test.each(rounds(5))('a domain that is deleted or lost during its activation is not active (round %d)', async () => {
  const { key } = await on.anAccount();
  const project = await aProject(on, key);
  const [kept, lost, removed] = [
    await aVerifiedDomain(on, dns, key, project.id),
    await aVerifiedDomain(on, dns, key, project.id),
    await aVerifiedDomain(on, dns, key, project.id),
  ];
  const update = on.database.query(
    'UPDATE custom_domains SET verified_at = NULL, active = false, next_check_at = NULL WHERE id = $1',
    [lost.id],
  );
  const responses = await Promise.all([
    on.api('put', pathOf(lost), key).send({ active: true }),
    on.api('put', pathOf(removed), key).send({ active: true }),
    on.api('put', pathOf(kept), key).send({ active: true }),
    on.api('delete', pathOf(removed), key),
  ]);
  await update;
  for (const { status } of responses) expect([200, 404, 409]).toContain(status);
  const rows = await on.database.query<{ id: string; active: boolean }>(
    'SELECT id, active FROM custom_domains WHERE project_id = $1',
    [project.id],
  );
  expect(rows.map(({ id }) => id).sort()).toEqual([kept.id, lost.id].sort());
  expect(rows.filter(({ active }) => active).map(({ id }) => id)).not.toContain(lost.id);
});

test.each(rounds(5))('one of 20 concurrent creations succeeds at the limit minus one (round %d)', async () => {
  const { key } = await on.anAccount();
  const { id } = await aProject(on, key);
  for (let made = 0; made < 4; made++) await aCustomDomain(on, key, id);
  const add = () => on.api('post', `/projects/${id}/custom-domains`, key).send({ hostname: aHostname() });
  const responses = await Promise.all(Array.from({ length: 20 }, add));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const response of responses.filter(({ status }) => status !== 201))
    expect(response).toBeRefusedWith('ACCESS_DENIED');
});

test.each(rounds(5))('a project that is deleted during a verification has no verified domain (round %d)', async () => {
  const hostname = aHostname();
  const claim = await aClaim(hostname);
  publish([claim]);
  const [verification] = await Promise.all([
    verify(claim),
    on.api('delete', `/projects/${claim.domain.project_id}`, claim.key).expect(200),
  ]);
  expect([200, 404]).toContain(verification.status);
  expect(await verifiedIds(hostname)).toEqual([]);
});

test('a creation that waits for the deletion of its project returns NOT_FOUND', async () => {
  const { key } = await on.anAccount();
  const { id } = await aProject(on, key);
  await withTransaction(on.database, async (other) => {
    await other.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [id]);
    const adding = on.api('post', `/projects/${id}/custom-domains`, key).send({ hostname: aHostname() }).then();
    await untilLocked(on.database, '');
    await other.query('COMMIT');
    expect(await adding).toBeRefusedWith('NOT_FOUND');
  });
  expect(await on.database.query('SELECT FROM custom_domains WHERE project_id = $1', [id])).toEqual([]);
});
