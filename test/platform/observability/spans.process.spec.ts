import { connect } from 'node:net';
import { versionOfThis } from '../../../src/shared/package-root';
import { ask } from '../../support/ask';
import { until } from '../../support/eventually';
import { freePort } from '../../support/free-port';
import { anAccountByShell, databaseOfPrograms, Program } from '../../support/process';
import { aTrace, visitWithTrace } from '../../support/trace-context';
import { TraceCollector } from '../../support/trace-collector';
import { fixture } from '../../support/fixtures';

let service: Program;
let key: string;
let project: string;
let metricsPort: number;

const database = databaseOfPrograms();
const collector = fixture(() => TraceCollector.listen());
const account = fixture(() => anAccountByShell({ DATABASE_URL: database.url }));
beforeAll(async () => {
  key = account.api_key.key;
  metricsPort = await freePort();
  service = await Program.serving({
    DATABASE_URL: database.url,
    METRICS_PORT: String(metricsPort),
    DATABASE_POOL_SIZE: '1',
    ...collector.environment,
  });
  const create = async (path: string, body: object): Promise<string> => {
    const { status, json } = await service.ask(`/api/v1/projects${path}`, { method: 'POST', key, body });
    expect(status).toBe(201);
    return String(json.data['id']);
  };
  project = await create('', { name: 'Traced', subdomain: 'traced' });
  for (const path of ['sale', 'other'])
    await create(`/${project}/links`, { name: path, custom_path: path, desktop_url: 'https://example.com/' });
});

/** Sends a request with a new trace, and returns the trace, the status and the span of the server. */
async function traced(path: string, options: Parameters<Program['ask']>[1] = {}) {
  const trace = aTrace();
  const { status } = await service.ask(path, { key, headers: trace.headers, ...options });
  return { trace, status, span: await collector.serverSpan(trace.id) };
}

const statementsOf = (traceId: string): string[] =>
  collector
    .trace(traceId)
    .filter(({ kind }) => kind === 3)
    .map(({ name }) => name);

describe('a request of the management API', () => {
  test('is a span named by its route template, below the span of its caller', async () => {
    const { trace, span } = await traced(`/api/v1/projects/${project}`);
    expect(span).toMatchObject({ name: 'GET /api/v1/projects/:projectId', parentSpanId: trace.spanId });
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/v1/projects/:projectId',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'signpost.account_id': account.account.id,
      'signpost.api_key_id': account.api_key.id,
    });
    expect(span.status.code ?? 0).toBe(0);
    expect(span.resource).toMatchObject({ 'service.name': 'signpost', 'service.version': versionOfThis() });
  });

  test.each<[string, string, string, number, string]>([
    ['no route', 'GET', '/api/v1/nothing-of-the-kind', 404, 'GET'],
    ['no route outside', 'GET', '/secret-path', 404, 'GET'],
    ['a method that the route has not', 'PATCH', '/api/v1/projects', 405, 'PATCH /api/v1/projects'],
    ['a method that HTTP has not', 'PROPFIND', '/api/v1/projects', 405, 'HTTP /api/v1/projects'],
  ])('with %s', async (_, method, path, status, name) => {
    const { span } = await traced(path, { method });
    expect(span.name).toBe(name);
    expect(span.attributes['http.response.status_code']).toBe(status);
    expect(span.attributes['http.request.method']).toBe(name.startsWith('HTTP') ? '_OTHER' : method);
    expect(span.status.code ?? 0).toBe(0);
  });

  test('has spans of its statements, with their text and without their parameters', async () => {
    const body = { name: 'Parameter-Value', subdomain: 'parameter-value' };
    const { trace, span, status } = await traced('/api/v1/projects', { method: 'POST', body });
    expect(status).toBe(201);
    expect(statementsOf(trace.id)).toEqual(
      expect.arrayContaining(['START', 'SELECT accounts', 'INSERT projects', 'COMMIT']),
    );
    const insert = collector.trace(trace.id).find(({ name }) => name === 'INSERT projects')!;
    expect(insert.parentSpanId).toBe(span.spanId);
    expect(insert.attributes['db.query.text']).toMatch(/^INSERT INTO "projects"\([^]*VALUES \(\$1, \$2, /);
    expect(JSON.stringify(collector.trace(trace.id))).not.toMatch(/parameter-value/i);
  });

  test('that fails is an error without the message of the database', async () => {
    await database.query(`
      CREATE FUNCTION quoting() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no name like %', NEW.name; END $$;
      CREATE TRIGGER quoting BEFORE UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION quoting();
    `);
    const body = { name: 'Quoted-Value' };
    const { trace, span, status } = await traced(`/api/v1/projects/${project}`, { method: 'PUT', body });
    await database.query('DROP TRIGGER quoting ON projects');
    expect(status).toBe(500);
    expect(span.status).toEqual({ code: 2 });
    expect(span.attributes['error.type']).toBe('500');
    const update = collector.trace(trace.id).find(({ name }) => name === 'UPDATE projects')!;
    expect(update.status).toEqual({ code: 2 });
    expect(JSON.stringify(update.events)).toContain('P0001');
    expect(JSON.stringify(collector.trace(trace.id))).not.toContain('Quoted-Value');
    const lines = () => service.logLines.filter((line) => line['trace_id'] === trace.id);
    await until(() => lines().length === 2);
    expect(lines().map(({ message }) => message)).toEqual(['request failed', 'request']);
  });

  test('reports that its client disconnected', async () => {
    const trace = aTrace();
    const head = `POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\ntraceparent: ${trace.headers.traceparent}\r\n`;
    const rest = `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n{`;
    const socket = connect(service.port, '127.0.0.1', () => socket.write(head + rest));
    // The service asks for the body, so it has the request.
    socket.on('data', () => socket.destroy());
    const span = await collector.serverSpan(trace.id);
    expect(span.attributes).toMatchObject({ 'signpost.aborted': true, 'http.route': '/api/v1/projects' });
  });

  test('that waited for a connection has only its own statements', async () => {
    // The pool has one connection, which all requests use in turn.
    const traces = Array.from({ length: 12 }, () => aTrace());
    const answers = traces.map(({ headers }, at) =>
      service.ask(`/api/v1/projects/${project}${at % 2 ? '/links' : ''}`, { key, headers }),
    );
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
    for (const trace of traces) await collector.serverSpan(trace.id);
    // Each list is a statement. Look-ups of the project share one, which is in the trace of the first.
    const [lists, projects] = [1, 0].map((odd) => traces.filter((_, at) => at % 2 === odd));
    for (const { id } of lists!) expect(statementsOf(id).filter((name) => name === 'WITH counted')).toHaveLength(1);
    for (const { id } of projects!) expect(statementsOf(id)).not.toContain('WITH counted');
  });
});

test('a visit is a span named by the common route, with the answer and the project', async () => {
  const trace = aTrace();
  expect((await visitWithTrace(trace, service, 'traced', '/sale')).status).toBe(302);
  const span = await collector.serverSpan(trace.id);
  expect(span).toMatchObject({ name: 'GET /{path}', parentSpanId: trace.spanId });
  expect(span.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/{path}',
    'http.response.status_code': 302,
    'url.scheme': 'http',
    'signpost.answer': 'redirect',
    'signpost.project_id': project,
    'signpost.link_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(statementsOf(trace.id)).toEqual(['visited-projects', 'visited-links']);
});

describe('the trace', () => {
  test('is new if the caller sends no valid one', async () => {
    for (const traceparent of ['', '00-xyz-1-01', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`]) {
      const headers: Record<string, string> = traceparent ? { traceparent } : {};
      const { headers: answered } = await service.ask('/api/v1/projects', { key, headers });
      const line = await requestLine(answered['x-request-id'] as string);
      const span = await collector.serverSpan(line['trace_id'] as string);
      expect(span.parentSpanId || undefined).toBeUndefined();
    }
  });

  test('is that of the caller, with its sampling decision; the log names it in both cases', async () => {
    const trace = aTrace(false);
    const { headers } = await service.ask('/api/v1/projects', { key, headers: trace.headers });
    expect((await requestLine(headers['x-request-id'] as string))['trace_id']).toBe(trace.id);
    await spansOfAnotherRequest();
    expect(collector.trace(trace.id)).toEqual([]);
  });

  test('is missing for probes and metrics', async () => {
    const before = collector.spans.length;
    const { headers } = aTrace();
    for (const path of ['/health/live', '/health/ready'])
      expect((await service.ask(path, { headers })).status).toBe(200);
    expect((await ask(metricsPort, { path: '/metrics', headers })).status).toBe(200);
    const other = await spansOfAnotherRequest();
    expect(collector.spans.slice(before).filter(({ traceId }) => traceId !== other)).toEqual([]);
  });
});

/** Waits for the spans of a new request, which follow those of earlier ones, and returns its trace. */
const spansOfAnotherRequest = async (): Promise<string> => (await traced('/api/v1/projects')).trace.id;

async function requestLine(requestId: string): Promise<Record<string, unknown>> {
  const find = () => service.logLines.find((line) => line['request_id'] === requestId && line['message'] === 'request');
  await until(() => find() !== undefined);
  return find()!;
}
