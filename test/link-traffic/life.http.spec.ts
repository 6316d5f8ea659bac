import { ClickReader } from '../../src/link-traffic/recording/click-reader';
import { lifeAt } from '../../src/link-routing/visited-link/life';
import { ClientAddresses } from '../../src/platform/http/client-address';
import { aVisitedLink } from '../link-routing/builders';
import { userAgents } from '../link-routing/user-agents';
import { explainVisit } from '../diagnostics/explain/read-answer';
import { aDynamicLink, aProject } from '../support/builders';
import { sendRequest } from '../support/raw-http';
import { accountFixture, projectFixture, serviceFixture } from '../support/fixtures';

const on = serviceFixture();
const account = accountFixture(on);
const project = projectFixture(on, account);

const visit = (path: string, { subdomain } = project, headers: Record<string, string> = {}) =>
  sendRequest(on.url, `GET /${path}`, { Host: `${subdomain}.localhost`, ...headers });

const past = '2020-01-01T00:00:00Z';
const future = '2090-01-01T00:00:00Z';
const ended = { active_until: past };
const destination = { desktop_url: 'https://shop.example.com/' };
const to = (path: string) => `https://shop.example.com/${path}`;

const rules = [{ when: {}, then: { url: to('rule') } }];

type Expected = [status: number, location: string | undefined, text: string];

const cases: [name: string, link: object, expected: Expected][] = [
  ['a link that has begun', { active_from: past }, [302, to(''), '']],
  ['a link that has not ended', { active_until: future }, [302, to(''), '']],
  ['a link that has not begun', { active_from: future }, [404, undefined, 'Page not found']],
  ['a link that has ended', ended, [410, undefined, 'This link has ended']],
  ['a link that has ended, with a page', { ...ended, expired_url: to('ended?b=2') }, [302, to('ended?b=2&a=1'), '']],
  ['a disabled link that has ended', { ...ended, disabled: true }, [410, undefined, 'This link is disabled']],
  ['rules of a link that has ended', { ...ended, rules }, [410, undefined, 'This link has ended']],
];

test.each(cases)('%s', async (_, fields, [status, location, text]) => {
  const link = await aDynamicLink(on, account.key, project.id, { ...destination, ...fields });
  const answer = await visit(`${link.custom_path}?a=1`);
  const expected = location === to('') ? to('?a=1') : location;
  expect([answer.status, answer.headers['location']]).toEqual([status, expected]);
  expect(answer.text).toContain(text);
  expect(answer.headers['cache-control']).toMatch(/no-store/);
  const place = { projectId: project.id, linkId: link.id };
  const explained = await explainVisit(on, account.key, place, { platform: 'desktop', query: 'a=1' });
  expect([explained.answer.status, explained.answer.location ?? undefined]).toEqual([status, expected]);
  expect(explained.open === null).toBe(status !== 302 || ('active_until' in fields && fields.active_until === past));
});

test('the project names the page for ended links', async () => {
  const other = await aProject(on, account.key, { expired_url: to('over') });
  const link = await aDynamicLink(on, account.key, other.id, { ...destination, ...ended });
  expect((await visit(link.custom_path, other)).headers['location']).toBe(to('over'));
  await on.api('put', `/projects/${other.id}`, account.key).send({ expired_url: null }).expect(200);
  expect((await visit(link.custom_path, other)).status).toBe(410);
});

test('no cache keeps the preview of a link that ends', async () => {
  const social = { ...destination, social_title: 'Sale' };
  const headers = { 'User-Agent': userAgents.slackbot };
  for (const [fields, caching] of [
    [social, 'public, max-age=300'],
    [{ ...social, active_until: future }, 'private, no-store'],
  ] as const) {
    const link = await aDynamicLink(on, account.key, project.id, fields);
    expect((await visit(link.custom_path, project, headers)).headers['cache-control']).toBe(caching);
  }
});

test('the end must be after the begin', async () => {
  const link = await aDynamicLink(on, account.key, project.id, { active_from: future });
  const path = `/projects/${project.id}/links/${link.id}`;
  for (const active_until of [past, future]) {
    const { body } = await on.api('put', path, account.key).send({ active_until }).expect(400);
    expect(body).toMatchObject({ error: { details: [{ code: 'too_small', path: ['active_until'] }] } });
  }
});

// The clock of the database decides, whatever that of a replica says.
test.each([
  [0, 'active'],
  [999, 'active'],
  [1000, 'after'],
])('two replicas with other clocks agree %d ms after the last second began', (passed, life) => {
  const until = Date.parse('2027-01-01T00:00:00Z');
  const ofDatabase = until - 1000 + passed;
  for (const differenceMs of [-7_200_000, 0, 90_000]) {
    const clock = { now: () => ofDatabase - differenceMs };
    const reader = new ClickReader(new ClientAddresses([]), undefined, clock, { clockDifferenceMs: differenceMs });
    expect(lifeAt(aVisitedLink({ activeUntil: until }), reader.now())).toBe(life);
  }
});
