import { mintApiKey } from '../../../src/tenancy/api-keys/api-key-secret';
import { readConfig } from '../../../src/app/settings/config';
import { aDynamicLink, unique } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { untilLocked } from '../../support/lock-waits';
import { withoutTable, withTransaction } from '../../support/other-session';
import { sendBytes, sendRequest } from '../../support/raw-http';
import { fixture, serviceFixture, projectFixture } from '../../support/fixtures';

const pepper = 'pepper-that-is-in-no-log-line-0123456789';
const on = serviceFixture({ API_KEY_PEPPER: pepper });
const account = fixture(() => on.anAccount());
const project = projectFixture(on, account);
const link = fixture(() => aDynamicLink(on, account.key, project.id));

type Line = Record<string, unknown>;

const linesOf = (requestId: string): Line[] =>
  on.logLines.map((line) => JSON.parse(line) as Line).filter((line) => line['request_id'] === requestId);

/** Sends a request with a new id, and returns the lines with that id once the request's line is written. */
async function logOf(startLine: string, headers: Record<string, string> = {}, body = ''): Promise<Line[]> {
  const id = unique('log');
  await sendRequest(on.url, startLine, { 'X-Request-Id': id, ...headers }, body);
  return eventually(() => {
    const lines = linesOf(id);
    return lines.some(({ message }) => message === 'request') && lines;
  });
}

const bearer = () => ({ Authorization: `Bearer ${account.key}` });
const json = { 'Content-Type': 'application/json' };

describe('a request has one line', () => {
  test.each<[string, () => string, number, string, boolean]>([
    ['GET', () => '/api/v1/projects', 200, '/api/v1/projects', true],
    ['GET', () => '/api/v1/projects?page=2&search=x', 200, '/api/v1/projects', true],
    ['HEAD', () => '/api/v1/projects', 200, '/api/v1/projects', true],
    ['GET', () => `/api/v1/projects/${project.id}`, 200, '/api/v1/projects/:projectId', true],
    [
      'GET',
      () => `/api/v1/projects/${project.id}/links/${link.id}`,
      200,
      '/api/v1/projects/:projectId/links/:linkId',
      true,
    ],
    ['GET', () => '/api/v1/projects/x', 404, '/api/v1/projects/:projectId', true],
    ['GET', () => '/api/v1/projects/%ff', 400, '/api/v1/projects/:projectId', true],
    ['PATCH', () => '/api/v1/projects', 405, '/api/v1/projects', true],
    ['POST', () => '/api/v1/projects', 400, '/api/v1/projects', true],
    ['GET', () => '/api/v1/nothing', 404, 'unknown', true],
    ['GET', () => '/api/v1/projects', 401, '/api/v1/projects', false],
    ['GET', () => '/nothing', 404, 'unknown', false],
    ['GET', () => '/health/live', 200, '/health/live', false],
    ['OPTIONS', () => '*', 404, 'unknown', false],
  ])('%s %p: %i, %s', async (method, path, status, route, withKey) => {
    const lines = await logOf(`${method} ${path()}`, withKey ? bearer() : {});
    expect(lines).toHaveLength(1);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
    const duration_ms = expect.any(Number) as number;
    expect(lines[0]).toMatchObject({ level: 'info', message: 'request', method, route, status, time, duration_ms });
    expect(lines[0]!['api_key_id']).toBe(withKey ? account.apiKeyId : undefined);
    expect(lines[0]!['account_id']).toBe(withKey ? account.accountId : undefined);
    expect(lines[0]).not.toHaveProperty('aborted');
  });

  test('has the id of the response if the client sent no id', async () => {
    const { headers } = await on.api('get', '/projects', account.key).expect(200);
    await eventually(() => linesOf(headers['x-request-id']!).length === 1);
  });

  test('reports that the client disconnected before the response', async () => {
    const id = unique('gone');
    const gone = new AbortController();
    const headers = { 'X-Request-Id': id, ...bearer() };
    await withTransaction(on.database, async (other) => {
      // The request waits there, and its key is known then.
      await other.query('LOCK TABLE ios_apps IN ACCESS EXCLUSIVE MODE');
      const path = `/api/v1/projects/${project.id}/ios-apps`;
      const request = fetch(on.url + path, { headers, signal: gone.signal }).catch(() => {});
      await untilLocked(on.database, 'ios_apps');
      gone.abort();
      await request;
      const [line] = await eventually(() => linesOf(id).length > 0 && linesOf(id));
      expect(line).toMatchObject({ aborted: true, account_id: account.accountId });
    });
  });
});

describe('no line has', () => {
  const body = { name: 'Body-Value-Name', subdomain: 'body-value-subdomain' };
  const create = 'POST /api/v1/projects';
  const posted = (text: string): [string, Record<string, string>, string] => [create, { ...bearer(), ...json }, text];

  const decoded = (line: string): string =>
    line.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const encoded = (text: string): string => text.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

  test.each<[string, (key: string) => [string, Record<string, string>?, string?]]>([
    ['in the path', (key) => [`GET /api/v1/${key}`]],
    ['as a project', (key) => [`GET /api/v1/projects/${key}`]],
    ['in a path outside', (key) => [`GET /${key}/x`]],
    ['twice in the path', (key) => [`GET /${key}/${key}`]],
    ['with more behind it', (key) => [`GET /${key}.json`]],
    ['percent-encoded', (key) => [`GET /api/v1/${encoded(key)}`]],
    ['percent-encoded in part', (key) => [`GET /api/v1/svc%5flive_${key.slice(9)}`]],
    ['in the query', (key) => [`GET /api/v1/projects?api_key=${key}`]],
    ['as a query', (key) => [`GET /api/v1/projects?${key}`]],
    ['in the user info', (key) => [`GET http://${key}@localhost/api/v1/projects`]],
    ['in absolute form', (key) => [`GET http://localhost/${key}`]],
    ['in an undecodable path', (key) => [`GET /api/v1/%ff${key}`]],
    ['as request id', (key) => ['GET /api/v1/projects', { 'X-Request-Id': key }]],
    [
      'in other headers',
      (key) => ['GET /api/v1/projects', { 'X-Api-Key': key, 'User-Agent': key, Referer: `http://x/${key}` }],
    ],
    ['in the wrong scheme', (key) => ['GET /api/v1/projects', { Authorization: `Basic ${key}` }]],
    ['as host', (key) => ['GET /api/v1/projects', { Host: key }]],
    ['as link host', (key) => [`GET /${key}`, { Host: `${key}.localhost` }]],
    ['as name', (key) => posted(JSON.stringify({ ...body, name: key, subdomain: key }))],
    ['as field', (key) => posted(JSON.stringify({ [key]: 1 }))],
    ['in malformed JSON', (key) => posted(`{"${key}`)],
    ['as content type', (key) => [create, { ...bearer(), 'Content-Type': key }, 'x']],
  ])('the key %s', async (_, request) => {
    const before = on.logLines.length;
    await sendRequest(on.url, ...request(account.key));
    const hostile = request(mintApiKey())[1]?.['Host']?.endsWith('.localhost');
    if (!hostile) await eventually(() => on.logLines.length > before);
  });

  test('the key of a malformed request', async () => {
    await sendBytes(on.url, `${account.key}\r\n\r\n`);
    const headers = `Host: x\r\nAuthorization: Bearer ${account.key}\r\n${account.key}`;
    await sendBytes(on.url, `GET / HTTP/1.1\r\n${headers}\r\n\r\n`);
  });

  test.each([
    ['valid', JSON.stringify(body)],
    ['in conflict', JSON.stringify(body)],
    ['invalid', JSON.stringify({ name: 'Body-Value'.repeat(20), subdomain: 'Body-Value' })],
    ['forbidden', JSON.stringify({ ...body, 'body-value-field': 'body-value' })],
    ['malformed', '{"body-value'],
  ])('a value of a %s body', async (_, text) => expect(await logOf(...posted(text))).toHaveLength(1));

  test('a value of a query', async () => {
    expect(await logOf('GET /api/v1/projects?search=body-value', bearer())).toHaveLength(1);
    expect(await logOf('GET /api/v1/projects?body-value=1&sortBy=body-value', bearer())).toHaveLength(1);
  });

  test('a value of a body that an error of the database quotes', async () => {
    await on.database.query("ALTER TABLE projects ADD CONSTRAINT no_such_name CHECK (name <> 'Body-Value-Refused')");
    try {
      const request = JSON.stringify({ name: 'Body-Value-Refused', subdomain: 'body-value-refused' });
      const stack = expect.stringContaining('    at ') as string;
      const error = { code: '23514', constraint: 'no_such_name', table: 'projects', stack };
      expect(await logOf(...posted(request))).toMatchObject([
        { level: 'error', message: 'request failed', error },
        { message: 'request', status: 500 },
      ]);
    } finally {
      await on.database.query('ALTER TABLE projects DROP CONSTRAINT no_such_name');
    }
  });

  test('any of these values in any encoding', () => {
    expect(on.logLines.length).toBeGreaterThan(40);
    for (const line of on.logLines) {
      expect(() => JSON.parse(line) as unknown).not.toThrow();
      expect(line.trimEnd()).not.toContain('\n');
      for (const secret of [account.key, account.key.slice(9), pepper, readConfig({}).apiKeyPepper]) {
        expect(line).not.toContain(secret);
        expect(decoded(line)).not.toContain(secret);
      }
      expect(line).not.toMatch(/body-value/i);
    }
  });
});

describe('a failure', () => {
  test('is logged with the request id and its cause, which the response omits', async () => {
    await withoutTable(on.database, 'projects', async () => {
      const answer = await on.api('get', '/projects', account.key);
      expect(answer).toBeRefusedWith('UNKNOWN_ERROR');
      expect(answer.text).not.toMatch(/projects|relation/);
      const lines = await eventually(() => {
        const found = linesOf(answer.headers['x-request-id']!);
        return found.length === 2 && found;
      });
      expect(lines).toMatchObject([
        { level: 'error', error: { code: '42P01', message: 'relation "projects" does not exist' } },
        { level: 'info', status: 500, route: '/api/v1/projects' },
      ]);
    });
  });

  test('of the database is logged as an error, and a refusal is not', async () => {
    await on.database.query(`
      CREATE FUNCTION busy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'too many' USING ERRCODE = '53300'; END $$;
      CREATE TRIGGER busy BEFORE UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION busy();
    `);
    try {
      const lines = await logOf(`PUT /api/v1/projects/${project.id}`, { ...bearer(), ...json }, '{"name":"N"}');
      expect(lines.map(({ level, status }) => [level, status])).toEqual([
        ['error', undefined],
        ['info', 503],
      ]);
    } finally {
      await on.database.query('DROP TRIGGER busy ON projects');
    }
    expect(await logOf('GET /api/v1/projects/x', bearer())).toHaveLength(1);
  });
});
