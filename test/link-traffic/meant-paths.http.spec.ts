import { meantPathsSql } from '../../src/link-paths/paths/meant-path';
import { analytics, clicksBy, untilCounted } from '../clicks/recording/counting';
import { explainVisit, readAnswer } from '../diagnostics/explain/read-answer';
import { userAgents } from '../link-routing/user-agents';
import { aDynamicLink, aProject, aShortLink, aVerifiedDomain, type ProjectBody } from '../support/builders';
import { sendRequest } from '../support/raw-http';
import { dnsFixture, serviceFixture, accountFixture, projectFixture } from '../support/fixtures';

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

// Addresses as people type and paste them.

const dns = dnsFixture();
const on = serviceFixture(() => ({ DNS_RESOLVERS: dns.address }));
const account = accountFixture(on);
const project = projectFixture(on, account);

beforeAll(async () => {
  for (const path of ['full', 'Sale', 'twin', 'Twin', 'promo_'])
    await aDynamicLink(on, account.key, project.id, { custom_path: path, desktop_url: `https://example.com/${path}` });
  await on.database.query(`UPDATE dynamic_links SET custom_path = 'promo.' WHERE custom_path = 'promo_'`);
});

const hostOf = ({ subdomain }: ProjectBody) => `${subdomain}.localhost`;
const get = (target: string, headers: Record<string, string> = {}, host = hostOf(project)) =>
  sendRequest(on.url, `GET ${target}`, { Host: host, ...headers });
const locationOf = async (target: string, host?: string) => {
  const { status, headers } = await get(target, {}, host);
  return status === 302 ? headers['location']!.replace('https://example.com/', '') : status;
};

test.each<[target: string, location: string | number]>([
  // meant-paths.spec.ts has all kinds of characters.
  ['/full%E2%80%9D.%E2%80%8B%20', 'full'],
  ['/full/)', 'full'],
  ['/full)?a=1', 'full?a=1'],
  // A query behind the path.
  ['/full%3Fname%3Dvalue%26b%3D2', 'full?name=value&b=2'],
  ['/full.&a=1&b=2?c=3', 'full?a=1&b=2&c=3'],
  ['/full%3Fa%3D%0D%0AX-Evil:%201', 'full?a=%0D%0AX-Evil:%201'],
  // Letter case.
  ['/SALE', 'Sale'],
  ['/SALE)&a=1', 'Sale?a=1'],
  ['/twin', 'twin'],
  ['/Twin', 'Twin'],
  ['/TWIN', 404],
  // A path that is stored with a dot.
  ['/promo.', 'promo_'],
  ['/promo.)', 'promo_'],
  ['/promo', 404],
  // Paths that no person means.
  ['/full)x', 404],
  ['/fullx', 404],
])('%j leads to %j', async (target, location) => {
  expect(await locationOf(target)).toBe(location);
});

test('association files and claims keep their paths', async () => {
  await aDynamicLink(on, account.key, project.id, { custom_path: 'deferred-links/claim.x' });
  expect((await get('/.well-known/apple-app-site-association')).headers['content-type']).toBe('application/json');
  for (const target of ['/.well-known/assetlinks.json.', '/apple-app-site-association)', '/robots.txt.', '/Robots.txt'])
    expect((await get(target)).status).toBe(404);
  const claim = await sendRequest(on.url, 'POST /deferred-links/claim.', { Host: hostOf(project) });
  expect(claim.status).toBe(405);
});

test('every host of the project has the rule', async () => {
  const own = await aProject(on, account.key);
  await aDynamicLink(on, account.key, own.id, { custom_path: 'Sale', desktop_url: 'https://example.com/Sale' });
  const { hostname } = await aVerifiedDomain(on, dns, account.key, own.id);
  const subdomain = `${own.subdomain}-new`;
  await on.api('put', `/projects/${own.id}`, account.key).send({ subdomain }).expect(200);
  for (const host of [hostOf(own), `${subdomain}.localhost`, `${subdomain}-open.localhost`, hostname])
    expect([host, await locationOf('/sale%29', host)]).toEqual([host, 'Sale']);
});

test('links of other projects and deleted links are not meant', async () => {
  const own = await aProject(on, account.key);
  const { id } = await aDynamicLink(on, account.key, own.id, {
    custom_path: 'full',
    desktop_url: 'https://example.com/own',
  });
  await aDynamicLink(on, account.key, own.id, { custom_path: 'FULL', desktop_url: 'https://example.com/other' });
  expect(await locationOf('/Full', hostOf(own))).toBe(404);
  await on.api('delete', `/projects/${own.id}/links/${id}`, account.key).expect(200);
  expect(await locationOf('/Full', hostOf(own))).toBe('other');
  expect(await locationOf('/Sale', hostOf(own))).toBe(404);
  // A marked link keeps its short links until they are purged.
  const marked = await aDynamicLink(on, account.key, own.id);
  await aShortLink(on, account.key, own.id, marked.id, { slug: 'full' });
  await on.database.query('UPDATE dynamic_links SET deleted_at = now() WHERE id = $1', [marked.id]);
  expect(await locationOf('/Full', hostOf(own))).toBe('other');
});

test('a link that appears is served at once for what was missed before', async () => {
  const own = await aProject(on, account.key);
  const visited = () => Promise.all(['/SALE', '/SALE.', '/Sale'].map((target) => locationOf(target, hostOf(own))));
  expect(await visited()).toEqual([404, 404, 404]);
  const create = (path: string) =>
    aDynamicLink(on, account.key, own.id, { custom_path: path, desktop_url: `https://example.com/${path}` });
  const { id } = await create('sale');
  expect(await visited()).toEqual(['sale', 'sale', 'sale']);
  await create('SALE');
  expect(await visited()).toEqual(['SALE', 'SALE', 404]);
  await on.api('put', `/projects/${own.id}/links/${id}`, account.key).send({ custom_path: 'else' }).expect(200);
  expect(await visited()).toEqual(['SALE', 'SALE', 'SALE']);
});

test('a visit counts for the link, and for the short link', async () => {
  const own = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, own.id, { custom_path: 'Sale' });
  const { id, slug } = await aShortLink(on, account.key, own.id, link.id);
  for (const target of ['/sale', '/Sale.', `/${slug.toUpperCase()}`, `/${slug}%E3%80%82`])
    expect((await get(target, { 'User-Agent': userAgents.desktop }, hostOf(own))).status).toBe(302);
  await untilCounted(on, account.key, own.id, 4);
  expect(clicksBy(await analytics(on, account.key, own.id, { group_by: 'link' }))).toEqual({ [link.id]: 4 });
  expect(clicksBy(await analytics(on, account.key, own.id, { group_by: 'short_link' }))).toEqual({ [id]: 2, null: 2 });
});

test('pages name the link as it is written, and a disabled link is 410', async () => {
  const own = await aProject(on, account.key);
  const { id } = await aDynamicLink(on, account.key, own.id, { custom_path: 'Sale', social_title: 'Sale' });
  const preview = await get('/SALE).', { 'User-Agent': userAgents.slackbot }, hostOf(own));
  expect(readAnswer(preview).page!.tags!['og:url']).toBe(`http://${own.subdomain}.localhost:3000/Sale`);
  await on.api('put', `/projects/${own.id}/links/${id}`, account.key).send({ disabled: true }).expect(200);
  expect((await get('/SALE).', {}, hostOf(own))).status).toBe(410);
});

test.each(['Loop', 'LOOP&a=1'])('a link that leads to itself as /%s gets its page there', async (path) => {
  const own = await aProject(on, account.key);
  const destination = `http://${hostOf(own)}/${path}`;
  await aDynamicLink(on, account.key, own.id, { custom_path: 'loop', desktop_url: destination });
  expect((await get('/loop', {}, hostOf(own))).headers['location']).toBe(destination);
  expect((await get(`/${path}`, {}, hostOf(own))).status).toBe(200);
});

test('an alias in other letter case leads on', async () => {
  const own = await aProject(on, account.key);
  await aDynamicLink(on, account.key, own.id, { custom_path: 'alias', desktop_url: `http://${hostOf(own)}/Alias` });
  await aDynamicLink(on, account.key, own.id, { custom_path: 'Alias', desktop_url: 'https://example.com/alias' });
  expect((await get('/alias', {}, hostOf(own))).headers['location']).toBe(`http://${hostOf(own)}/Alias`);
  expect(await locationOf('/Alias', hostOf(own))).toBe('alias');
});

test('a miss reads few paths, also beside many that differ only in letter case', async () => {
  const own = await aProject(on, account.key);
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path)
     SELECT gen_random_uuid(), $1, 'twin', translate(lpad(number::bit(11)::text, 11, '0'), '01', 'aA')
     FROM generate_series(0, 1999) AS number`,
    [own.id],
  );
  await on.database.query('ANALYZE link_paths, dynamic_links');
  const [row] = await on.database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${meantPathsSql}`,
    [
      [0, 0],
      [own.id, own.id],
      ['AAAAAAAAAAA.', 'AAAAAAAAAAA'],
    ],
  );
  const read = (node: PlanNode): number =>
    (node['Relation Name'] === 'link_paths'
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0) + (node.Plans ?? []).reduce((sum, child) => sum + read(child), 0);
  expect(read(row!['QUERY PLAN'][0]!.Plan)).toBeLessThan(10);
});

describe('explain', () => {
  const explain = (path: string, query?: string) =>
    explainVisit(on, account.key, { projectId: project.id }, { platform: 'desktop', path, query });

  test.each<[path: string, finding: string]>([
    ['Sale', 'exact'],
    ['SALE', 'letter_case'],
    ['Sale.', 'cut'],
    ['SALE。', 'cut'],
    ['full%3Fa=1', 'cut'],
  ])('says how %j leads to a link: %s', async (path, finding) => {
    const { steps, answer, url } = await explain(path, 'x=1');
    expect(steps.find(({ rule }) => rule === 'path')).toMatchObject({ outcome: 'noted', finding });
    expect(answer).toEqual(readAnswer(await get(`/${path.replace('。', '%E3%80%82')}?x=1`)));
    expect(url).toMatch(/\/(?:Sale|full)\?(?:a=1&)?x=1$/);
  });

  test.each(['TWIN', ''])('says that %j leads to no link', async (path) => {
    const { steps, answer } = await explain(path);
    expect(answer).toMatchObject({ kind: 'not_found', status: 404 });
    expect(steps.find(({ outcome }) => outcome === 'taken')).toMatchObject({ rule: 'path', finding: 'unknown' });
  });
});
