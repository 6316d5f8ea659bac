import type { CustomDomain } from '../../../clients/typescript/src/index';
import { DomainChecks } from '../../../src/links/custom-domains/domain-checks';
import { aCustomDomain, aHostname, aProject, aVerifiedDomain } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { DnsServer } from '../../support/dns-server';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { rounds } from '../../support/scale';

let dns: DnsServer;
let on: TestService;
let owner: TestAccount;
let other: TestAccount;
let theirs: CustomDomain;
let mine: CustomDomain;
beforeAll(async () => {
  dns = await DnsServer.start();
  on = await aService({ DNS_RESOLVERS: dns.address, SUBDOMAIN_HOLD_DAYS: '30' });
  owner = await on.anAccount('enterprise');
  other = await on.anAccount('enterprise');
});
afterAll(async () => {
  await on.stop();
  await dns.stop();
});
beforeEach(async () => {
  const hostname = aHostname();
  theirs = await aVerifiedDomain(on, dns, owner.key, (await aProject(on, owner.key)).id, { hostname, active: true });
  mine = await aCustomDomain(on, other.key, (await aProject(on, other.key)).id, hostname);
});

const deleteProject = () => on.api('delete', `/projects/${theirs.project_id}`, owner.key).expect(200);
const verify = (domain: CustomDomain, key = other.key) =>
  on.api('post', `/projects/${domain.project_id}/custom-domains/${domain.id}/verify`, key);
const publish = (...claims: CustomDomain[]) =>
  dns.publish(theirs.verification_record.name, ...claims.map((claim) => claim.verification_record.value));
const age = (days: number) =>
  on.database.query(`UPDATE held_domains SET left_at = left_at - make_interval(days => $1)`, [days]);
const heldRows = () => on.database.query('SELECT FROM held_domains WHERE hostname = $1', [theirs.hostname]);

test('a domain of a deleted project returns DOMAIN_TAKEN while its record exists', async () => {
  await deleteProject();
  publish(theirs, mine);
  expect(await changingNothing(on, () => verify(mine))).toBeRefusedWith('DOMAIN_TAKEN');
  publish(mine);
  await verify(mine).expect(200);
  expect(await heldRows()).toEqual([]);
  publish(theirs, mine);
  await verify(mine).expect(200);
});

test('a held domain returns DOMAIN_NOT_VERIFIED while its record cannot be queried', async () => {
  await deleteProject();
  dns.setResponse(theirs.verification_record.name, { status: 'SERVFAIL' });
  expect(await changingNothing(on, () => verify(mine))).toBeRefusedWith('DOMAIN_NOT_VERIFIED');
});

test('a held domain can be verified by the same account at once', async () => {
  await deleteProject();
  const again = await aCustomDomain(on, owner.key, (await aProject(on, owner.key)).id, theirs.hostname);
  publish(theirs, again);
  await verify(again, owner.key).expect(200);
  expect(await verify(mine)).toBeRefusedWith('DOMAIN_NOT_VERIFIED');
});

test('a held domain is free after SUBDOMAIN_HOLD_DAYS, and a sweep deletes its row', async () => {
  await deleteProject();
  publish(theirs, mine);
  await age(29);
  await on.service.app.get(DomainChecks).sweep();
  expect(await verify(mine)).toBeRefusedWith('DOMAIN_TAKEN');
  await age(2);
  await on.service.app.get(DomainChecks).sweep();
  expect(await heldRows()).toEqual([]);
  await verify(mine).expect(200);
});

test('a domain of a deleted account is not held', async () => {
  const leaving = await on.anAccount();
  const project = await aProject(on, leaving.key);
  const { hostname } = await aVerifiedDomain(on, dns, leaving.key, project.id);
  await on.database.query('DELETE FROM projects WHERE id = $1', [project.id]);
  const rows = () => on.database.query('SELECT account_id FROM held_domains WHERE hostname = $1', [hostname]);
  const [{ account_id: accountId }] = (await rows()) as [{ account_id: string }];
  await on.database.query(
    `DELETE FROM api_keys WHERE account_id = '${accountId}'; DELETE FROM users WHERE account_id = '${accountId}';
     DELETE FROM accounts WHERE id = '${accountId}'`,
  );
  expect(await rows()).toEqual([]);
});

test.each(rounds(5))('a verification during the deletion of the project returns DOMAIN_TAKEN (round %d)', async () => {
  publish(theirs, mine);
  const [, ...responses] = await Promise.all([deleteProject(), ...Array.from({ length: 8 }, () => verify(mine))]);
  for (const response of responses) expect(response).toBeRefusedWith('DOMAIN_TAKEN');
  expect(await verify(mine)).toBeRefusedWith('DOMAIN_TAKEN');
});
