import { explainVisit } from '../diagnostics/explain/read-answer';
import { userAgents } from '../link-routing/user-agents';
import { aDynamicLink, aProject, aVerifiedDomain, type ProjectBody } from '../support/builders';
import { sendRequest } from '../support/raw-http';
import { accountFixture, dnsFixture, projectFixture, serviceFixture } from '../support/fixtures';

const root = 'https://www.example.com/';
const missing = 'https://www.example.com/missing?a=1#part';

const dns = dnsFixture();
const on = serviceFixture(() => ({ DNS_RESOLVERS: dns.address }));
const account = accountFixture(on);
const project = projectFixture(on, account, { root_url: root, not_found_url: missing });
let domain: string;

beforeAll(async () => {
  await aDynamicLink(on, account.key, project.id, { custom_path: 'off', disabled: true });
  ({ hostname: domain } = await aVerifiedDomain(on, dns, account.key, project.id));
});

const hostOf = ({ subdomain }: ProjectBody) => `${subdomain}.localhost`;

const visit = async (target: string, of = project, headers: object = {}, method = 'GET') => {
  const { status, headers: sent } = await sendRequest(on.url, `${method} ${target}`, { Host: hostOf(of), ...headers });
  return [status, sent['location']];
};

const explain = ({ id }: ProjectBody, parameters: { path?: string; query?: string }) =>
  explainVisit(on, account.key, { projectId: id }, { platform: 'desktop', ...parameters });

describe('visitors without a link are redirected', () => {
  test.each([
    ['/', root],
    ['/?a=2', `${root}?a=2`],
    ['/nothing/at/all%20', missing],
    ['/nothing?b=2', 'https://www.example.com/missing?a=1&b=2#part'],
  ])('%s', async (target, location) => {
    expect(await visit(target)).toEqual([302, location]);
    expect(await visit(target, project, {}, 'HEAD')).toEqual([302, location]);
    expect(await visit(target, project, { 'User-Agent': userAgents.slackbot })).toEqual([302, location]);
    expect(await visit(target, project, { Host: domain })).toEqual([302, location]);
    const [path, query = ''] = target.slice(1).split('?');
    const { answer } = await explain(project, { query, ...(path && { path }) });
    expect(answer).toMatchObject({ status: 302, location });
  });

  test('without being cached', async () => {
    const { headers } = await sendRequest(on.url, 'GET /nothing', { Host: hostOf(project) });
    expect(headers['cache-control']).toBe('private, no-store');
  });
});

test.each([
  ['/robots.txt', 404],
  ['/.well-known/security.txt', 404],
  ['/.well-known/assetlinks.json', 200],
  ['/off', 410],
  // An explanation decodes the path like a visit.
  ['/.well-known%2Fsecurity.txt', 404],
])('%s is answered as without these settings', async (target, status) => {
  expect(await visit(target)).toEqual([status, undefined]);
  if (target.startsWith('/.well-known/assetlinks')) return;
  expect((await explain(project, { path: target.slice(1) })).answer.status).toBe(status);
});

test.each([
  ['none', 'a=2&b=2', missing],
  ['listed', 'a=2&b=2', 'https://www.example.com/missing?a=1&b=2#part'],
])('parameters are forwarded as the project says: %s', async (mode, query, location) => {
  const settings = { not_found_url: missing, query_forwarding: mode, forwarded_params: ['b'] };
  const other = await aProject(on, account.key, settings);
  expect(await visit(`/nothing?${query}`, other)).toEqual([302, location]);
  const { answer, steps } = await explain(other, { path: 'nothing', query });
  expect(answer).toMatchObject({ status: 302, location });
  expect(steps.map(({ rule }) => rule)).toContain('query_forwarding');
});

test('without root_url, the root is an unknown path; without both, people get a page', async () => {
  const other = await aProject(on, account.key, { not_found_url: missing });
  expect(await visit('/', other)).toEqual([302, missing]);
  await on.api('put', `/projects/${other.id}`, account.key).send({ not_found_url: null }).expect(200);
  const { status, text } = await sendRequest(on.url, 'GET /', { Host: hostOf(other) });
  expect([status, text]).toEqual([404, expect.stringContaining('<h1>Page not found</h1>')]);
});

test('a URL on a host of the project is ignored, so that no redirect repeats', async () => {
  for (const [url, headers] of [
    [`http://${hostOf(project)}/x`, {}],
    [`https://${domain.toUpperCase()}:8443/`, { Host: domain }],
  ] as const) {
    const changed = { root_url: url, not_found_url: url };
    await on.api('put', `/projects/${project.id}`, account.key).send(changed).expect(200);
    for (const target of ['/', '/nothing']) expect(await visit(target, project, headers)).toEqual([404, undefined]);
  }
});
