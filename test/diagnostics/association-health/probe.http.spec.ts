import { request } from 'node:http';
import type { RequestListener } from 'node:http';
import { InMemoryRateLimitStorage } from '../../../src/platform/rate-limit/in-memory-rate-limit-storage';
import { Clock } from '../../../src/shared/clock';
import { ProbeLimits } from '../../../src/platform/outbound/probe-limits';
import { AssociationWatch } from '../../../src/diagnostics/association-health/association-watch';
import { HostProbe } from '../../../src/diagnostics/association-health/host-probe';
import { anAndroidApp, anIosApp, aProject, aVerifiedDomain } from '../../support/builders';
import { DnsServer } from '../../support/dns-server';
import { aService, type TestService } from '../../support/service';
import { aCertificate, TlsHost } from '../../support/tls-host';
import { getHealth, formatProblems } from './get-health';
import { fixture, serviceFixture, accountFixture, projectFixture } from '../../support/fixtures';

// A public host: a name server, and a TLS proxy in front of the service.

const dns = fixture(() => DnsServer.start());
const certificate = fixture(() => aCertificate(['*.go.example.com', 'watched.example.org']));
const proxy = fixture(() => TlsHost.start(certificate));
const on = serviceFixture(() => ({
  DNS_RESOLVERS: dns.address,
  LINK_BASE_URL: `https://go.example.com:${proxy.port}`,
  API_BASE_URL: 'https://api.example.net',
  PROBE_PRIVATE_ADDRESSES: 'true',
  PROBES_PER_MINUTE: '1000',
}));
const account = accountFixture(on);
const project = projectFixture(on, account);
let host: string;
beforeAll(async () => {
  trust(on, certificate.cert);
  const pair = (letters: string) => Array.from({ length: 32 }, () => letters).join(':');
  await anIosApp(on, account.key, project.id);
  await anAndroidApp(on, account.key, project.id, { sha_fingerprints: [pair('AB'), pair('CD')] });
  host = `${project.subdomain}.go.example.com`;
});
beforeEach(() => {
  proxy.present(certificate);
  proxy.answer = toService;
  proxy.asked.length = 0;
  dns.setResponse(host, { addresses: ['127.0.0.1'] });
});

/** Replaces NODE_EXTRA_CA_CERTS, which a process reads only at its start. */
const trust = (service: TestService, caCertificates: string) =>
  Object.assign(service.service.app.get(HostProbe), { caCertificates });

const toService: RequestListener = ({ url, headers }, response) =>
  void request(on.url + url, { headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  }).end();

const checkWithProbe = async () => {
  const found = await getHealth(on, account.key, project.id, '?probe=true');
  // The test host has a random port.
  return {
    ...found,
    problemLines: formatProblems(found)
      // The open host has no address here.
      .filter((one) => !one.includes('port_not_443') && !one.includes('-open.'))
      .map(withoutHost),
  };
};
const withoutHost = (one: string): string => one.replace(` ${host}:${proxy.port}`, '');

const oneFile =
  (file: string, answer: RequestListener): RequestListener =>
  (incoming, response) =>
    incoming.url!.endsWith(file) ? answer(incoming, response) : toService(incoming, response);

test('a host behind a transparent proxy is healthy', async () => {
  const found = await checkWithProbe();
  expect(found.problemLines).toEqual([]);
  expect(Date.parse(found.probed_at!)).toBeGreaterThan(Date.now() - 60_000);
  expect(found.hosts[0]!.probed).toEqual(
    found.files.map(({ platform, bytes }) => ({ platform, status: 200, content_type: 'application/json', bytes })),
  );
  expect(Date.parse(found.hosts[0]!.certificate_expires_at!)).toBeGreaterThan(Date.now());
  expect([...proxy.asked].sort()).toEqual([
    `${host}:${proxy.port}/.well-known/apple-app-site-association`,
    `${host}:${proxy.port}/.well-known/assetlinks.json`,
  ]);
});

/** Answers with a status, headers and a text. */
const answers =
  (status: number, headers: Record<string, string | number> = {}, text = ''): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(text);
const json = { 'Content-Type': 'application/json' };

test.each<[string, RequestListener, string[]]>([
  ['301', answers(301, { Location: '/elsewhere' }), ['error redirected']],
  [
    '101',
    ({ socket }) => void socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'),
    ['error no_answer'],
  ],
  ['nothing', (incoming) => void incoming.socket.destroy(), ['error no_answer']],
  [
    'half an answer',
    (incoming, response) => {
      response.writeHead(200, { ...json, 'Content-Length': 100 }).write(' ');
      setTimeout(() => incoming.socket.destroy(), 50);
    },
    ['error no_answer'],
  ],
  [
    'a page',
    answers(200, { 'Content-Type': 'text/html' }, '<html>'),
    ['error wrong_content_type', 'error content_differs'],
  ],
  ['no type', answers(200, {}, '{}'), ['error wrong_content_type', 'error content_differs']],
  ['another file', answers(200, json, '[]'), ['error content_differs']],
  ['nested JSON without end', answers(200, json, '['.repeat(100_000)), ['error content_differs']],
  [
    'more than is read',
    answers(200, { ...json, 'Content-Length': 1_048_577 }, 'x'.repeat(1_048_577)),
    ['error file_too_large'],
  ],
  [
    'a stream without end',
    (incoming, response) => {
      response.writeHead(200, json);
      const more = setInterval(() => response.write('x'.repeat(100_000)), 10);
      incoming.socket.on('close', () => clearInterval(more));
    },
    ['error file_too_large'],
  ],
])('%s instead of a file is a problem', async (_, answer, expected) => {
  for (const [file, platform] of [
    ['apple-app-site-association', 'ios'],
    ['assetlinks.json', 'android'],
  ] as const) {
    proxy.answer = oneFile(file, answer);
    const found = await checkWithProbe();
    expect(found.problemLines).toEqual(expected.map((one) => `${one} ${platform}`));
  }
  expect(proxy.asked.every((one) => one.includes('/.well-known/'))).toBe(true);
});

describe('certificates', () => {
  test.each([
    ['for other hosts', 'other.example.com'],
    ['signed by nobody known', '*.go.example.com'],
  ])('%s', async (_, name) => {
    const wrong = await aCertificate([name]);
    proxy.present(wrong);
    // The first authority is trusted, but the name differs.
    if (_ === 'for other hosts') trust(on, wrong.cert);
    const found = await checkWithProbe();
    trust(on, certificate.cert);
    expect(found.problemLines).toEqual(['error certificate_invalid']);
    expect(found.problems.find(({ code }) => code === 'certificate_invalid')!.message).toMatch(
      _ === 'for other hosts' ? /for other hosts/ : /self-signed|authority is unknown/,
    );
    expect(proxy.asked).toEqual([]);
  });

  test('that expire soon are a warning', async () => {
    const ending = await aCertificate(['*.go.example.com'], 6);
    proxy.present(ending);
    trust(on, ending.cert);
    const found = await checkWithProbe();
    trust(on, certificate.cert);
    expect(found.problemLines).toEqual(['warning certificate_expires_soon']);
  });
});

test.each<[string, Parameters<DnsServer['setResponse']>[1] | null, string]>([
  ['that does not exist', null, 'error not_resolved'],
  ['whose name server fails', { status: 'SERVFAIL' }, 'error not_resolved'],
  ['without a listening server', { addresses: ['127.0.0.9'] }, 'error unreachable'],
])('a name %s is an error', async (_, response, expected) => {
  if (response === null) dns.remove(host);
  else dns.setResponse(host, response);
  expect((await checkWithProbe()).problemLines).toEqual([expected]);
});

test('a custom domain that fails twice is an event of its webhook, and so is its success', async () => {
  const hostname = 'watched.example.org';
  dns.setResponse(hostname, { addresses: ['127.0.0.1'] });
  const watched = await aProject(on, account.key);
  await anIosApp(on, account.key, watched.id);
  const domain = await aVerifiedDomain(on, dns, account.key, watched.id, { hostname });
  const watch = on.service.app.get(AssociationWatch);
  const check = async (answer: RequestListener) => {
    proxy.answer = answer;
    proxy.asked.length = 0;
    // Milliseconds of the column can be rounded into the future.
    await on.database.query("UPDATE association_checks SET next_check_at = now() - interval '1 second'");
    await watch.sweep();
    return proxy.asked.length;
  };
  const fails = answers(503);
  const events = async () => {
    const { body } = await on
      .api('get', `/projects/${watched.id}/history?resource_id=${domain.id}`, account.key)
      .expect(200);
    return (body as { data: { type: string }[] }).data.filter(({ type }) => type.includes('association'));
  };
  const send = on.api('post', '/account/webhooks', account.key);
  const webhook = (event_types: string[]) =>
    send.send({ url: 'https://hooks.example.com/', enabled: false, event_types });
  expect(await check(fails)).toBe(0);
  await webhook(['domain.*']).expect(201);
  for (let time = 0; time < 3; time++) expect(await check(toService)).toBe(2);
  await check(fails);
  expect(await events()).toEqual([]);
  await Promise.all([check(fails), check(fails)]);
  const common = { resource_id: domain.id, actor: { kind: 'service' } };
  const problem = { code: 'wrong_status', message: expect.stringContaining('503') as string };
  const failed = {
    ...common,
    type: 'domain.association_failed',
    after: { hostname, problems: ['ios', 'android'].map((platform) => ({ ...problem, platform })) },
  };
  expect(await events()).toMatchObject([failed]);
  await check(fails);
  await check(toService);
  await check(toService);
  expect(await events()).toMatchObject([
    { ...common, type: 'domain.association_restored', after: { hostname } },
    failed,
  ]);
});

test('concurrent checks share one probe', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => checkWithProbe()));
  expect(all.map((found) => found.problemLines)).toEqual(all.map(() => []));
  expect(proxy.asked.length).toBeLessThan(20);
});

describe('with the default settings', () => {
  const closed = fixture(() =>
    aService({
      DNS_RESOLVERS: dns.address,
      LINK_BASE_URL: `https://go.example.com:${proxy.port}`,
      API_BASE_URL: 'https://api.example.net',
    }),
  );
  beforeAll(async () => {
    trust(closed, certificate.cert);
  });

  test.each([['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::1'], ['2606:4700::1111', 'fd00::1']])(
    'a host at %s %s is not probed',
    async (...addresses) => {
      const { key } = await closed.anAccount('enterprise');
      const inside = await aProject(closed, key);
      dns.setResponse(`${inside.subdomain}.go.example.com`, { addresses });
      const found = await getHealth(closed, key, inside.id, '?probe=true');
      expect(formatProblems(found)).toContain(`error private_address ${inside.subdomain}.go.example.com:${proxy.port}`);
      expect(found.hosts[0]!.probed).toBeNull();
      expect(proxy.asked).toEqual([]);
    },
  );
});

const files = { ios: { json: '{}', tag: '"i"' }, android: { json: '[]', tag: '"a"' } };
const limits = () => new ProbeLimits(new InMemoryRateLimitStorage(new Clock()), { perMinute: 1 });

test('a host that is an IP address is never probed', async () => {
  const never = { addressesOf: () => Promise.reject(new Error('looked up')) };
  const hostProbe = new HostProbe(never, { allowPrivateAddresses: true }, limits());
  const origins = [
    `https://127.0.0.1:${proxy.port}`,
    `https://[::1]:${proxy.port}`,
    `https://2130706433:${proxy.port}`,
  ];
  expect([...(await hostProbe.probe('account', origins, files)).values()]).toEqual(
    origins.map(() => 'private_address'),
  );
});
