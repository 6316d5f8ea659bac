import type { SignpostClient } from '../../clients/typescript/src/index';
import { aHostname, unique } from '../support/builders';
import { aClient } from '../support/client';
import { DnsServer } from '../support/dns-server';
import { aService, type TestService } from '../support/service';

let dns: DnsServer;
let on: TestService;
let client: SignpostClient;
beforeAll(async () => {
  dns = await DnsServer.start();
  on = await aService({ DNS_RESOLVERS: dns.address });
  client = aClient(on, (await on.anAccount()).key);
});
afterAll(async () => {
  await on.stop();
  await dns.stop();
});

test('the client adds, verifies, activates and removes a custom domain', async () => {
  const created = await client.POST('/projects', { body: { name: 'Summer', subdomain: unique('domains') } });
  const project = { projectId: created.data!.data.id };
  const [hostname, subdomainHost] = [aHostname(), `${created.data!.data.subdomain}.localhost`];
  const body = { name: 'Sale', custom_path: 'sale' };
  const linkId = (await client.POST('/projects/{projectId}/links', { params: { path: project }, body })).data!.data.id;
  const hostOfLink = async (): Promise<string> => {
    const link = await client.GET('/projects/{projectId}/links/{linkId}', { params: { path: { ...project, linkId } } });
    return new URL(link.data!.data.full_url).hostname;
  };

  const add = () =>
    client.POST('/projects/{projectId}/custom-domains', { params: { path: project }, body: { hostname } });
  const { data: added } = (await add()).data!;
  expect(await add()).toBeRefusedWith('DOMAIN_EXISTS');

  const params = { path: { ...project, domainId: added.id } };
  const verify = () => client.POST('/projects/{projectId}/custom-domains/{domainId}/verify', { params });
  const put = (active: boolean) =>
    client.PUT('/projects/{projectId}/custom-domains/{domainId}', { params, body: { active } });
  const record = added.verification_record;
  expect(await verify()).toBeRefusedWith('DOMAIN_NOT_VERIFIED', { reason: 'no_record', record, found: [] });
  expect(await put(true)).toBeRefusedWith('DOMAIN_NOT_VERIFIED');
  dns.publish(record.name, record.value);
  expect((await verify()).data!.data.status).toBe('verified');
  expect(await hostOfLink()).toBe(subdomainHost);

  const active = (await put(true)).data!.data;
  expect(active).toMatchObject({ status: 'active', active: true });
  expect(await hostOfLink()).toBe(hostname);
  const one = await client.GET('/projects/{projectId}/custom-domains/{domainId}', { params });
  const list = await client.GET('/projects/{projectId}/custom-domains', { params: { path: project } });
  expect([one.data!.data, list.data!.data]).toEqual([active, [active]]);

  const removed = await client.DELETE('/projects/{projectId}/custom-domains/{domainId}', { params });
  expect(removed.data!.data.message).toBe('Custom domain removed');
  expect(await hostOfLink()).toBe(subdomainHost);
  expect(await verify()).toBeRefusedWith('NOT_FOUND');
});
