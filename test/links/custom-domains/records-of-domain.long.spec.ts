import { request, type RequestListener } from 'node:http';
import type { components } from '../../../clients/typescript/src/index';
import { DomainProbe } from '../../../src/links/custom-domains/domain-probe';
import { hostProofOf } from '../../../src/link-paths/paths/host-proof';
import { aCustomDomain, aProject, aVerifiedDomain, type ProjectBody } from '../../support/builders';
import { DnsServer, type DnsResponse } from '../../support/dns-server';
import { eventually } from '../../support/eventually';
import { aService, type TestService } from '../../support/service';
import { aCertificate, type Certificate, TlsHost } from '../../support/tls-host';
import { atEndOfTest } from '../../support/end-of-test';

// Name servers, and a TLS proxy in front of the service.

const edge = 'edge.example.net';
const address = { purpose: 'address', type: 'CNAME', value: edge };

let dns: DnsServer;
let certificate: Certificate;
let proxy: TlsHost;
let on: TestService;
let key: string;
let project: ProjectBody;
beforeAll(async () => {
  dns = await DnsServer.start();
  certificate = await aCertificate(['*.example.com']);
  proxy = await TlsHost.start(certificate);
  on = await serviceWith({ LINK_TARGET_HOST: edge, PROBE_PRIVATE_ADDRESSES: 'true', PROBES_PER_MINUTE: '1000' });
  dns.setResponse(edge, { addresses: ['127.0.0.1', '127.0.0.2'] });
});
afterAll(async () => {
  await on.stop();
  await proxy.stop();
  await dns.stop();
});
beforeEach(async () => {
  ({ key } = await on.anAccount());
  project = await aProject(on, key);
  proxy.present(certificate);
  proxy.answer = toService;
  proxy.asked.length = 0;
});

const serviceWith = async (environment: Record<string, string>): Promise<TestService> => {
  const service = await aService({
    DNS_RESOLVERS: dns.address,
    LINK_BASE_URL: `https://go.example.net:${proxy.port}`,
    API_BASE_URL: 'https://api.example.net',
    ...environment,
  });
  // Replaces NODE_EXTRA_CA_CERTS, which a process reads only at its start.
  Object.assign(service.service.app.get(DomainProbe), { caCertificates: certificate.cert });
  return service;
};

const toService: RequestListener = ({ url, headers }, response) =>
  void request(on.url + url, { headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  }).end();

type DomainRecords = components['schemas']['DomainRecords'];

const recordsOf = async (id: string, query = ''): Promise<DomainRecords> =>
  (await on.api('get', `/projects/${project.id}/custom-domains/${id}/records${query}`, key).expect(200)).body
    .data as DomainRecords;
const activate = async (
  id: string,
): Promise<{ data: { status: string }; warnings?: { code: string; reason: string }[] }> =>
  (await on.api('put', `/projects/${project.id}/custom-domains/${id}`, key).send({ active: true }).expect(200))
    .body as never;

/** Creates a verified domain that link traffic knows. */
async function aServedDomain(response: DnsResponse): Promise<{ id: string; hostname: string }> {
  const domain = await aVerifiedDomain(on, dns, key, project.id);
  dns.setResponse(domain.hostname, response);
  await eventually(async () => (await fetch(`${on.url}/tls/ask?domain=${domain.hostname}`)).status === 200);
  return domain;
}

test('a new domain shows both records, which are missing', async () => {
  const { id, hostname, verification_record: record } = await aCustomDomain(on, key, project.id);
  expect(await recordsOf(id, '?probe=true')).toEqual({
    records: [
      { purpose: 'ownership', ...record, addresses: [], found: [], state: 'missing' },
      { ...address, name: hostname, addresses: ['127.0.0.1', '127.0.0.2'], found: [], state: 'missing' },
    ],
    visit: null,
  });
  // The host may belong to strangers.
  expect(proxy.asked).toEqual([]);
});

test('a domain behind a proxy with other addresses is recognised, and used without a warning', async () => {
  const { id, hostname } = await aServedDomain({ addresses: ['127.0.0.1', '127.0.0.3'] });
  proxy.asked.length = 0;
  expect((await recordsOf(id)).records[1]!.state).toBe('different');
  expect(proxy.asked).toEqual([]);
  const { records, visit } = await recordsOf(id, '?probe=true');
  expect(records.map(({ state }) => state)).toEqual(['ok', 'ok']);
  expect(visit).toEqual({ answer: 'ok', message: `${hostname} answers with this project` });
  expect(proxy.asked).toEqual([`${hostname}:${proxy.port}/.well-known/signpost-host`]);
  expect(await activate(id)).toEqual({ data: expect.objectContaining({ status: 'active' }) as object });
});

const sends =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

test.each<[string, DnsResponse, RequestListener, string]>([
  ['no address', { status: 'NXDOMAIN' }, toService, 'not_resolved'],
  ['a DNS that fails', { status: 'SERVFAIL' }, toService, 'unreachable'],
  ['no server', { addresses: ['127.0.0.9'] }, toService, 'unreachable'],
  ['another site', { addresses: ['127.0.0.1'] }, sends(200, 'Welcome'), 'other_answer'],
  ['a missing page', { addresses: ['127.0.0.1'] }, sends(404, ''), 'other_answer'],
  ['the proof of another project', { addresses: ['127.0.0.1'] }, sends(200, hostProofOf('another')), 'other_answer'],
  ['a long answer', { addresses: ['127.0.0.1'] }, sends(200, 'x'.repeat(5000)), 'other_answer'],
  ['a redirect', { addresses: ['127.0.0.1'] }, sends(301, '', { Location: 'https://example.org/' }), 'redirected'],
  ['a broken answer', { addresses: ['127.0.0.1'] }, ({ socket }) => void socket.destroy(), 'no_answer'],
])('a domain with %s is used with a warning', async (_, response, answer, reason) => {
  const { id, hostname } = await aServedDomain(response);
  proxy.answer = answer;
  expect((await recordsOf(id, '?probe=true')).visit!.answer).toBe(reason);
  const { data, warnings } = await activate(id);
  expect(data.status).toBe('active');
  expect(warnings).toEqual([
    { code: 'DOMAIN_NOT_REACHED', reason, message: expect.stringContaining(`may not reach: ${hostname} `) as string },
  ]);
});

test('a domain whose certificate is for other hosts is used with a warning', async () => {
  const { id } = await aServedDomain({ addresses: ['127.0.0.1'] });
  proxy.present(await aCertificate(['other.example.org']));
  expect((await activate(id)).warnings).toMatchObject([{ reason: 'certificate' }]);
});

test('a change that activates nothing visits no host', async () => {
  const { id } = await aServedDomain({ addresses: ['127.0.0.1'] });
  proxy.asked.length = 0;
  const path = `/projects/${project.id}/custom-domains/${id}`;
  for (const body of [{ active: false }, { open_host: true }, {}])
    expect((await on.api('put', path, key).send(body).expect(200)).body).not.toHaveProperty('warnings');
  expect(proxy.asked).toEqual([]);
});

test('a private address is not visited, and the limit of probes ends checks and not activations', async () => {
  const careful = await serviceWith({ PROBES_PER_MINUTE: '1' });
  atEndOfTest(() => careful.stop());
  const account = await careful.anAccount();
  const { id: projectId } = await aProject(careful, account.key);
  const { id, hostname } = await aVerifiedDomain(careful, dns, account.key, projectId);
  dns.setResponse(hostname, { cname: 'db.internal.example.com', addresses: ['8.8.8.8', '127.0.0.1'] });
  const path = `/projects/${projectId}/custom-domains/${id}`;
  const checked = await careful.api('get', `${path}/records?probe=true`, account.key).expect(200);
  expect(checked.body.data).toMatchObject({
    records: [{ state: 'ok' }, { value: null, addresses: [], found: [], state: 'unknown' }],
    visit: { answer: 'private_address' },
  });
  expect(await careful.api('get', `${path}/records?probe=true`, account.key)).toBeRefusedWith('RATE_LIMITED');
  await careful.api('get', `${path}/records`, account.key).expect(200);
  const activated = await careful.api('put', path, account.key).send({ active: true }).expect(200);
  expect(activated.body).toMatchObject({ data: { active: true }, warnings: [{ reason: 'not_probed' }] });
  expect(proxy.asked).toEqual([]);
});
