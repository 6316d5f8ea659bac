import { anAccountByShell, databaseOfPrograms, Program } from '../../support/process';
import { sendRequest } from '../../support/raw-http';
import { TraceCollector } from '../../support/trace-collector';
import { aTrace } from '../../support/trace-context';
import { fixture } from '../../support/fixtures';

const pepper = 'pepper-that-is-in-no-span-0123456789';
const secret = 'Secret-Value';
let service: Program;
let key: string;
let project: string;

const database = databaseOfPrograms();
const collector = fixture(() => TraceCollector.listen());
beforeAll(async () => {
  const environment = { DATABASE_URL: database.url, API_KEY_PEPPER: pepper };
  key = (await anAccountByShell(environment)).api_key.key;
  service = await Program.serving({ ...environment, ...collector.environment });
  const body = { name: 'Secrets', subdomain: 'secrets' };
  project = String((await service.ask('/api/v1/projects', { method: 'POST', key, body })).json.data['id']);
});

const bearer = () => ({ Authorization: `Bearer ${key}` });
const json = { 'Content-Type': 'application/json' };
const onLinkHost = { Host: 'secrets.localhost' };
const fromVisitor = Object.fromEntries(
  ['User-Agent', 'X-Forwarded-For', 'Forwarded', 'X-Forwarded-Host'].map((name) => [name, secret]),
);

test.each<[string, () => [string, Record<string, string>, string?]]>([
  ['a key that is good', () => ['GET /api/v1/projects', bearer()]],
  ['a key in the path', () => [`GET /api/v1/projects/${key}`, bearer()]],
  ['a key in the query', () => [`GET /api/v1/projects?key=${key}&${key}`, bearer()]],
  ['a key in the user info', () => [`GET http://${key}@localhost/api/v1/projects`, {}]],
  [
    'a value in the body',
    () => ['POST /api/v1/projects', { ...bearer(), ...json }, `{"name":"${secret}","subdomain":"value"}`],
  ],
  ['a search', () => [`GET /api/v1/projects/${project}/links?search=${secret}&sortBy=name&page=2`, bearer()]],
  ['a token in a visit’s query', () => [`GET /nothing?deferred_link=${secret}&_via=${secret}`, onLinkHost]],
  ['a visitor’s headers', () => ['GET /nothing', { ...onLinkHost, ...fromVisitor }]],
  [
    'a token that is claimed',
    () => ['POST /deferred-links/claim', { ...onLinkHost, ...json }, `{"token":"${secret}"}`],
  ],
])('spans have nothing of %s', async (_, request) => {
  const [startLine, headers, body] = request();
  const trace = aTrace();
  const before = collector.bodies.length;
  await sendRequest(`http://127.0.0.1:${service.port}`, startLine, { ...headers, ...trace.headers }, body);
  await collector.serverSpan(trace.id);
  const text = Buffer.concat(collector.bodies.slice(before)).toString();
  expect(text).toContain('http.request.method');
  for (const word of [key, key.slice(9), secret, pepper, '127.0.0.1'])
    expect(text.toLowerCase()).not.toContain(word.toLowerCase());
});
