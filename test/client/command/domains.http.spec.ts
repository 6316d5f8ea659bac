import { aCustomDomain, aProject, aVerifiedDomain } from '../../support/builders';
import { DnsServer } from '../../support/dns-server';
import { aService, type TestService } from '../../support/service';
import { commandOn, jsonOf } from './command-run';

let dns: DnsServer;
let on: TestService;
let key: string;
let projectId: string;
let signpost: ReturnType<typeof commandOn>;
beforeAll(async () => {
  dns = await DnsServer.start();
  on = await aService({ DNS_RESOLVERS: dns.address, LINK_TARGET_HOST: 'edge.example.net' });
  ({ key } = await on.anAccount());
  ({ id: projectId } = await aProject(on, key));
  signpost = commandOn(on, key, projectId);
});
afterAll(async () => {
  await on.stop();
  await dns.stop();
});

test('domains check shows both records and what the DNS says', async () => {
  const { hostname, verification_record: record } = await aCustomDomain(on, key, projectId);
  dns.publish(record.name, record.value);
  dns.setResponse(hostname, { cname: 'parking.example.org', addresses: ['93.184.216.34'] });
  dns.setResponse('edge.example.net', { addresses: ['192.0.2.1'] });
  const { stdout, stderr, exitCode } = await signpost(['domains', 'check', hostname.toUpperCase()]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^TYPE +NAME +VALUE +IN THE DNS +STATE\n/);
  expect(stdout).toMatch(new RegExp(`TXT +${record.name} +${record.value} +${record.value} +ok\n`));
  expect(stdout).toMatch(new RegExp(`CNAME +${hostname} +edge.example.net +parking.example.org +different\n`));
  expect(stderr).toContain('CNAME: 192.0.2.1\n');
  expect(stderr).toContain(`Warning: ${hostname} is not verified`);
  const json = jsonOf<{ visit: null }>(await signpost(['domains', 'check', hostname, '--json']));
  expect(json.visit).toBeNull();
});

test('domains use asks before it uses a domain that does not answer', async () => {
  const { id, hostname } = await aVerifiedDomain(on, dns, key, projectId);
  const isActive = async (): Promise<boolean> =>
    (await on.api('get', `/projects/${projectId}/custom-domains/${id}`, key)).body.data.active as boolean;
  const refused = await signpost(['domains', 'use', hostname]);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(`Warning: ${hostname} has no address in the DNS`);
  expect(await isActive()).toBe(false);
  const used = await signpost(['domains', 'use', hostname, '--yes']);
  expect([used.exitCode, used.stdout]).toEqual([0, `All links use ${hostname}\n`]);
  expect(await isActive()).toBe(true);
});

test('a host that is no domain of the project is refused', async () => {
  for (const command of ['check', 'use'])
    expect(await signpost(['domains', command, 'unknown.example.com'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('no custom domain "unknown.example.com"') as string,
    });
});
