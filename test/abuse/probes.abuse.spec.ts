import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DnsServer } from '../support/dns-server';
import { aCertificate } from '../support/tls-host';
import { type Attacker, AttackedService, written } from '../support/victim';
import { aTemporaryFolder } from '../support/temporary-folder';

const accounts = 12;
const hostsPerAccount = 10;
const attackMs = 8000;
/** Probes that run at once in a process, times the connections of one. */
const maxConnections = 4 * 8;

const folder = aTemporaryFolder();
let dns: DnsServer;
let host: ChildProcess;
let hostReport: { port: number; maxOpen: number };
let on: AttackedService;
const attackers: Attacker[] = [];

beforeAll(async () => {
  dns = await DnsServer.start();
  const certificate = await aCertificate(['*.example.org']);
  const [key, authority] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
  writeFileSync(key, certificate.key);
  writeFileSync(authority, certificate.cert);
  await startHost(key, authority);
  on = await AttackedService.start({
    DNS_RESOLVERS: dns.address,
    LINK_BASE_URL: `https://localhost:${hostReport.port}`,
    PROBE_PRIVATE_ADDRESSES: 'true',
    CUSTOM_DOMAINS_PER_PROJECT: '100',
    NODE_EXTRA_CA_CERTS: authority,
  });
  for (let at = 0; at < accounts; at++) {
    const attacker = await on.anAttacker();
    const names = Array.from({ length: hostsPerAccount }, (_, number) => `h${number}-${at}.example.org`);
    for (const name of names) dns.setResponse(name, { addresses: ['127.0.0.1'] });
    await on.database.query(
      `INSERT INTO custom_domains (id, project_id, hostname, challenge, active, verified_at, next_check_at)
       SELECT gen_random_uuid(), $1, unnest($2::text[]), 'challenge', false, now(), now() + interval '1 day'`,
      [attacker.project, names],
    );
    attackers.push(attacker);
  }
});
afterAll(async () => {
  await on.stop();
  host.kill('SIGKILL');
  await dns.stop();
});

async function startHost(key: string, certificate: string): Promise<void> {
  host = spawn(process.execPath, [join(__dirname, '../support/large-file-host.mjs'), key, certificate], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const read = (lines: string) => {
    for (const line of lines.split('\n').filter(Boolean))
      hostReport = { ...hostReport, ...(JSON.parse(line) as Partial<typeof hostReport>) };
  };
  host.stdout!.setEncoding('utf8').on('data', read);
  await once(host.stdout!, 'data');
}

test('probes of many accounts keep connections, memory and other accounts within bounds', async () => {
  const statuses: Record<string, number> = {};
  const probe = async ({ key, project }: Attacker, until: number): Promise<void> => {
    // On a busy machine the first answer may take longer than the attack should.
    while (performance.now() < until || !statuses[200]) {
      const path = `/api/v1/projects/${project}/association-health?probe=true`;
      const { status, headers } = await on.program.ask(path, { key });
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  // Two clients per key, so that the limit per account shows too.
  const loud = await on.victim.expectUnharmed(() => {
    const until = performance.now() + attackMs;
    return Promise.all([...attackers, ...attackers].map((attacker) => probe(attacker, until)));
  });
  const { maxOpen } = hostReport;
  console.info(`probes: answers ${JSON.stringify(statuses)}, at most ${maxOpen} connections; ${written(loud)}`);
  expect(statuses).toMatchObject({ 200: expect.any(Number), 429: expect.any(Number) });
  expect(maxOpen).toBeGreaterThan(8);
  expect(maxOpen).toBeLessThanOrEqual(maxConnections);
});
