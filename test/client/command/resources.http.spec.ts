import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import {
  aCustomDomain,
  aDynamicLink,
  aFingerprint,
  aProject,
  aVerifiedDomain,
  type ProjectBody,
} from '../../support/builders';
import { eventually } from '../../support/eventually';
import { signInFixture } from '../../support/sign-in-service';
import { aPng } from '../../links/pictures/pictures';
import { commandOn, jsonOf, rowsOf, runCommand } from './command-run';
import { aFolder } from './folder';
import { DnsServer } from '../../support/dns-server';
import { fixture } from '../../support/fixtures';

const folder = aFolder();
const dns = fixture(() => DnsServer.start());
const on = signInFixture(() => ({ DNS_RESOLVERS: dns.address, LINK_TARGET_HOST: 'edge.example.net' }));
let key: string;
let project: ProjectBody;
let signpost: ReturnType<typeof commandOn>;
beforeAll(async () => {
  // API keys cannot manage API keys.
  key = on.provider.token((await on.anAccount()).accountId);
  project = await aProject(on, key);
  signpost = commandOn(on, key, project.id);
});

interface Example {
  /** Fields after which the resource is created and changed, as options. */
  create: string;
  /** Field of the created item that names it in commands. */
  named: string;
  update: string;
  changed: object;
}

const unique = (): string => `x${randomUUID().slice(0, 8)}`;

test.each<[resource: string, example: Example]>([
  [
    'projects',
    {
      create: `--name Shop --subdomain ${unique()} --root-url https://example.com/`,
      named: 'subdomain',
      update: '--name Store --clear root_url',
      changed: { name: 'Store', root_url: null },
    },
  ],
  [
    'apps --platform ios',
    {
      create: '--name Shop --bundle-id com.example.Shop --team-id ABCDE12345 --path /a/*',
      named: 'bundle_id',
      update: '--shared-credentials true --clear paths',
      changed: { shared_credentials: true, paths: null },
    },
  ],
  [
    'apps --platform android',
    {
      create: `--name Shop --package-name com.example.shop --sha-fingerprint ${aFingerprint(1)}`,
      named: 'package_name',
      update: '--android-stores {"samsung":"com.example.shop"}',
      changed: { android_stores: { samsung: 'com.example.shop' } },
    },
  ],
  [
    'domains',
    {
      create: `--hostname ${unique()}.example.com`,
      named: 'hostname',
      update: '--open-host false',
      changed: { open_host: false },
    },
  ],
  [
    'keys',
    {
      create: '--name Deployment --expires-at 2099-01-01T00:00:00Z',
      named: 'id',
      update: '--name Pipeline',
      changed: { name: 'Pipeline' },
    },
  ],
])('%s: list, get, create, update and delete', async (resource, example) => {
  const [name, ...options] = resource.split(' ');
  const run = (verb: string, ...rest: string[]) => signpost([name!, verb, ...options, ...rest, '--json']);
  const created = jsonOf(await run('create', ...example.create.split(' ')));
  const shown = String(created[example.named]);
  expect(jsonOf(await run('get', shown.toUpperCase()))).toMatchObject({ id: created['id'] });
  const updated = jsonOf(await run('update', shown, ...example.update.split(' ')));
  expect(updated).toMatchObject({ id: created['id'], ...example.changed });
  const { data } = jsonOf<{ data: { id: string }[] }>(await run('list', '--limit', '100'));
  expect(data.map(({ id }) => id)).toContain(created['id']);
  const table = await signpost([name!, 'list', ...options]);
  expect(table.stdout).toMatch(/^ID +[A-Z]/);
  expect(table.stderr).toMatch(/^\d+ /);
  expect((await run('delete', shown)).exitCode).toBe(2);
  expect(jsonOf(await run('delete', shown, '--yes'))).toEqual({ deleted: [created['id']] });
  expect((await run('get', created['id'] as string)).exitCode).toBe(1);
});

test('a created key is shown once', async () => {
  const { stdout } = await signpost(['keys', 'create', '--name', 'CI']);
  const secret = /^key +(svc_live_\S+)$/m.exec(stdout)![1]!;
  expect((await runCommand(['projects', 'list', '--url', on.url, '--key', secret])).exitCode).toBe(0);
  expect((await signpost(['keys', 'list', '--json'])).stdout).not.toContain(secret);
});

test('short links, their QR codes and the statistics of their link', async () => {
  const link = await aDynamicLink(on, key, project.id, { external_id: 'crm-1' });
  const short = jsonOf(await signpost(['short-links', 'create', '--link', link.id, '--slug', 'sale', '--json']));
  const all = jsonOf<{ data: unknown[] }>(
    await signpost(['short-links', 'list', '--dynamic-link-id', link.id, '--json']),
  );
  expect(all.data).toHaveLength(1);
  const file = folder.file('go.svg');
  const saved = await signpost(['qr', short['id'] as string, '--short-link', '--format', 'svg', '-o', file]);
  expect([saved.exitCode, await readFile(file, 'utf8')]).toEqual([0, expect.stringMatching(/^<svg|^<\?xml/)]);
  expect((await signpost(['qr', 'external:crm-1', '--size', '256'])).stdout).toContain('PNG');
  const picture = folder.file('logo.png');
  await writeFile(picture, aPng(40, 40));
  const branded = await signpost(['qr', 'external:crm-1', '--logo', picture, '--format', 'svg']);
  expect([branded.exitCode, branded.stdout]).toEqual([0, expect.stringContaining('href="data:image/jpeg;base64,')]);
  const folderOfCodes = folder.file('codes');
  const design = ['--format', 'pdf', '--rounded', '--frame', 'Scan me', '--width-mm', '60'];
  const codes = await signpost(['qr', 'external:crm-1', link.id, '--folder', folderOfCodes, ...design]);
  expect([codes.exitCode, codes.stderr]).toEqual([0, expect.stringContaining('codes/crm-1.pdf')]);
  for (const name of ['crm-1', link.id])
    expect(await readFile(`${folderOfCodes}/${name}.pdf`, 'latin1')).toMatch(/^%PDF/);
  await on.visit(project.subdomain, '/sale').expect(302);
  await eventually(async () => (await signpost(['stats'])).stderr.startsWith('1 clicks'));
  const counted = await signpost(['stats', 'external:crm-1', '--group-by', 'platform']);
  expect(counted.stdout).toMatch(/^PLATFORM +CLICKS +QR SCANS\n\w+ +1 +0\n$/);
  expect((await signpost(['stats'])).stderr).toMatch(/^1 clicks, 0 of QR codes, 0 of bots, from 20/);
  expect((await signpost(['stats', '--csv'])).stdout).toMatch(/start,.*clicks/);
  await on.database.query(
    `SELECT record_app_events(ARRAY['\\x01'::bytea], ARRAY['open'], ARRAY[$1::uuid], ARRAY[$2::uuid], ARRAY[now()],
                              ARRAY['ios'], ARRAY['1.0'], ARRAY['DE'], ARRAY[''], ARRAY[''], ARRAY[1])`,
    [project.id, link.id],
  );
  const opens = await signpost(['stats', 'external:crm-1', '--metric', 'opens', '--group-by', 'version']);
  expect([opens.stdout, opens.stderr]).toEqual([
    expect.stringMatching(/^VERSION +OPENS +QR SCANS\n1\.0 +1 +0\n$/),
    expect.stringMatching(/^1 opens, 0 of QR codes/),
  ]);
  expect((await signpost(['stats', '--metric', 'claims'])).stderr).toMatch(/^0 claims,/);
  expect((await signpost(['stats', '--metric', 'taps'])).exitCode).toBe(2);
  await on.database.query(
    `SELECT record_app_events(ARRAY['\\x02'::bytea], ARRAY['store'], ARRAY[$1::uuid], ARRAY[$2::uuid], ARRAY[now()],
                              ARRAY['android'], ARRAY[''], ARRAY[''], ARRAY[''], ARRAY['Facebook'], ARRAY[1])`,
    [project.id, link.id],
  );
  const funnel = await signpost(['funnel', '--group-by', 'browser', '--link', link.id]);
  expect([funnel.stdout, funnel.stderr]).toEqual([
    expect.stringMatching(/^BROWSER +SHOWN .*\nFacebook +0 +0 +1 +0 /),
    expect.stringMatching(/^0 shown, 0 copied, 1 store_opened, 0 first_opens, /),
  ]);
  expect((await signpost(['funnel', '--csv'])).stdout).toMatch(/start,end,shown/);
  expect((await signpost(['short-links', 'delete', short['id'] as string, '--yes'])).exitCode).toBe(0);
});

test('conversions are sent, counted and exported', async () => {
  const link = await aDynamicLink(on, key, project.id, { conversions: true });
  const visit = await on.visit(project.subdomain, `/${link.custom_path}`).expect(302);
  const click_id = new URL(visit.headers['location']!).searchParams.get('click_id');
  await eventually(
    async () => (await on.database.query('SELECT FROM click_ids WHERE project_id = $1', [project.id])).length === 1,
  );
  const sale = { click_id, event: 'purchase', value: '19.90', currency: 'EUR', key: 'order-1' };
  const lines = [sale, sale, { ...sale, key: 'order-2', value: 5 }, { ...sale, key: 'order-3', click_id: 'x' }];
  const file = folder.file('orders.ndjson');
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const sent = await signpost(['conversions', 'send', file]);
  expect([sent.exitCode, sent.stderr]).toEqual([
    4,
    expect.stringMatching(
      /^Line 3: invalid: value must be a string\n[^]*Line 4: unknown_click_id\n1 conversion counted, 1 repeated, 2 refused\n$/,
    ),
  ]);
  const stats = await signpost(['conversions', 'stats', '--group-by', 'event']);
  expect(stats.stdout).toMatch(/^EVENT +CLICKS +CONVERSIONS +REFUNDS +VALUE\npurchase +\d+ +1 +0 +19\.90 EUR\n$/);
  expect((await signpost(['conversions', 'stats'])).stdout).toMatch(/1 +0 +19\.90 EUR\n$/);
  expect((await signpost(['conversions', 'export', '--format', 'ndjson'])).stdout).toMatch(/"key":"order-1"/);
});

test('the history, an undone deletion and the audit log', async () => {
  const { id } = await aDynamicLink(on, key, project.id, { name: 'Undone', external_id: 'undone-1' });
  await signpost(['links', 'update', id, '--notes', 'New']);
  expect((await signpost(['history', 'external:undone-1'])).stdout).toMatch(/link\.updated +\S+ Undone +notes="New"/);
  expect((await signpost(['links', 'delete', id, '--yes'])).exitCode).toBe(0);
  const deletions = jsonOf<{ data: { sequence: number }[] }>(
    await signpost(['history', '--type', 'link.deleted', '--resource', id, '--json']),
  );
  const number = String(deletions.data[0]!.sequence);
  expect((await signpost(['restore', number, '--yes'])).stdout).toBe('Restored 1\n');
  expect((await signpost(['links', 'get', id])).exitCode).toBe(0);
  expect((await signpost(['restore', number, '--yes'])).stderr).toContain('it was restored before');
  expect((await signpost(['restore', 'x', '--yes'])).exitCode).toBe(2);
  expect((await signpost(['health'])).stdout).toMatch(
    /status +ready\n(?:.*\n)*database +up\n(?:.*\n)*replicas +\d+ \S+\nimports +0 waiting, 0 failed\n/,
  );
  expect((await signpost(['audit-log', '--limit', '1'])).stderr).toContain('Further entries: add --cursor');
  const entries = rowsOf<{ type: string }>(await signpost(['audit-log', '--export', '--type', 'link']));
  const types = entries.map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(['link.created', 'link.updated', 'link.deleted']));
});

test.each([
  [['apps', 'list'], 'The platform is missing; add --platform ios or android.'],
  [['short-links', 'get', 'go'], 'There is no short link with the id "go".'],
  [['projects', 'get', 'nobody'], 'There is no project with the id or subdomain "nobody".'],
  [['domains', 'update', 'a.example.com'], 'No field is named'],
  [['qr', 'go', '--short-link'], '"go" must be the id of a short link.'],
  [['qr', 'external:x', 'external:y'], 'Several links need --folder.'],
  [['qr', 'external:a/b', 'external:a-b', '--folder', 'x'], 'Two links would have the same file.'],
  [['qr', 'external:Sale', 'external:sale', '--folder', 'x'], 'Two links would have the same file.'],
  [['qr', 'external:x', '--logo', 'logo.svg'], 'logo.svg must be a PNG, JPEG or WebP.'],
  [['qr', 'external:x', '--json'], '--json needs --output FILE'],
  [['qr', 'external:x', '--size', '99'], '--size must be a whole number from 128 to 2048.'],
  [['domains', 'verify', 'a.example.com'], 'The project has no custom domain "a.example.com".'],
  [['domains', 'check', 'a.example.com'], 'The project has no custom domain "a.example.com".'],
  [['domains', 'use', 'a.example.com'], 'The project has no custom domain "a.example.com".'],
])('%j is refused', async (argv, message) =>
  expect(await signpost(argv)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) as string }),
);

test('domains check shows both records and what the DNS says', async () => {
  const { hostname, verification_record: record } = await aCustomDomain(on, key, project.id);
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
  const { id, hostname } = await aVerifiedDomain(on, dns, key, project.id);
  const isActive = async (): Promise<boolean> =>
    (await on.api('get', `/projects/${project.id}/custom-domains/${id}`, key)).body.data.active as boolean;
  const refused = await signpost(['domains', 'use', hostname]);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(`Warning: ${hostname} has no address in the DNS`);
  expect(await isActive()).toBe(false);
  const used = await signpost(['domains', 'use', hostname, '--yes']);
  expect([used.exitCode, used.stdout]).toEqual([0, `All links use ${hostname}\n`]);
  expect(await isActive()).toBe(true);
});
