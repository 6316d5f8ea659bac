import { anAndroidApp, aDynamicLink, unique } from '../support/builders';
import { eventually } from '../support/eventually';
import { sendRequest } from '../support/raw-http';
import { aServiceOfTest, serviceFixture, accountFixture, projectFixture, fixture } from '../support/fixtures';
import { withoutTable } from '../support/other-session';

const on = serviceFixture({ VISIT_LOG_LEVEL: 'info' });
const account = accountFixture(on);
const project = projectFixture(on, account);
const link = fixture(async () => {
  const { id } = await anAndroidApp(on, account.key, project.id);
  return aDynamicLink(on, account.key, project.id, { custom_path: 'summer/Sale_1', android_app_id: id });
});

type Line = Record<string, unknown>;

const linesOf = (requestId: string): Line[] =>
  on.logLines.map((line) => JSON.parse(line) as Line).filter((line) => line['request_id'] === requestId);

/** Sends a visit with a unique request id and returns its log line. */
async function lineOf(startLine: string, headers: Record<string, string> = {}, body = ''): Promise<Line> {
  const id = unique('visit');
  const host = `${project.subdomain}.localhost`;
  await sendRequest(on.url, startLine, { Host: host, 'X-Request-Id': id, ...headers }, body);
  const lines = await eventually(() => linesOf(id).length > 0 && linesOf(id));
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

const inProject = () => ({ project_id: project.id });
const found = () => ({ ...inProject(), link_id: link.id });

test.each<[string, Record<string, string>, number, string, () => Line]>([
  ['GET /summer/Sale_1', {}, 302, 'redirect', found],
  ['GET /summer/Sale_1', { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 9)' }, 302, 'play-store', found],
  ['GET /nothing', {}, 404, 'not-found', inProject],
  ['POST /summer/Sale_1', {}, 405, 'refused', found],
  ['GET /.well-known/assetlinks.json', {}, 200, 'association-file', inProject],
  ['GET /summer/Sale_1', { Host: 'nobody.localhost' }, 404, 'not-found', () => ({})],
])('%s %j: %i, %s', async (startLine, headers, status, answer, ids) => {
  const [method, path] = startLine.split(' ');
  expect(await lineOf(startLine, headers)).toEqual({
    level: 'info',
    time: expect.stringMatching(/Z$/),
    message: 'visit',
    request_id: expect.any(String),
    method,
    path,
    ...ids(),
    answer,
    status,
    duration_ms: expect.any(Number),
  });
});

test('a claim logs a visit line', async () => {
  const body = JSON.stringify({ token: 'a-token-that-is-unknown' });
  const line = await lineOf('POST /deferred-links/claim', { 'Content-Type': 'application/json' }, body);
  expect(line).toMatchObject({ answer: 'claim', status: 404, path: '/deferred-links/claim' });
  expect(JSON.stringify(line)).not.toContain('a-token');
});

test.each([
  ['its query', 'GET /summer/Sale_1?deferred_link=Secret-Value', {}],
  ['the query of an invalid path', 'GET /a%20b?Secret-Value', {}],
  ['a path in percent-encoding', 'GET /%53ecret-Value', {}],
  [
    'its headers',
    'GET /summer/Sale_1',
    { Referer: 'https://Secret-Value/', 'User-Agent': 'Secret-Value', Cookie: 'Secret-Value' },
  ],
  ['its host', 'GET /summer/Sale_1', { Host: 'secret-value.localhost' }],
  ['its address', 'GET /summer/Sale_1', { 'X-Forwarded-For': 'Secret-Value' }],
])('the line does not contain %s', async (_, startLine, headers) => {
  const line = JSON.stringify(await lineOf(startLine, headers));
  expect(line).not.toMatch(/secret-value/i);
  expect(line).not.toContain('127.0.0.1');
});

test('an API key in the path is redacted', async () => {
  const line = await lineOf('GET /svc_live_0123456789abcdef');
  expect(line['path']).toBe('/svc_live_[redacted]');
});

test('a failed visit logs its line and the error', async () => {
  const id = unique('fails');
  await withoutTable(on.database, 'link_paths', () =>
    sendRequest(on.url, 'GET /unseen', { Host: `${project.subdomain}.localhost`, 'X-Request-Id': id }),
  );
  const lines = await eventually(() => linesOf(id).length === 2 && linesOf(id));
  expect(lines.map(({ level, message }) => [level, message])).toEqual([
    ['error', 'visit failed'],
    ['info', 'visit'],
  ]);
  expect(lines[1]).toMatchObject({ answer: 'failed', status: 500 });
});

test('visits log no line if their level is disabled', async () => {
  const quiet = await aServiceOfTest({ VISIT_LOG_LEVEL: 'trace' }, on.database);
  const { headers } = await quiet.visit(project.subdomain, '/summer/Sale_1').expect(302);
  await quiet.api('get', '/projects').expect(401);
  await eventually(() => quiet.logLines.some((line) => line.includes('"message":"request"')));
  expect(quiet.logLines.join('')).not.toContain(headers['x-request-id']);
});
