import { createDatabase } from '../../support/database';
import { freePort } from '../../support/free-port';
import { anAccountByShell, endAllPrograms, Program } from '../../support/process';
import { steadyNow } from '../../support/steady-now';
import { useGenerousTimeLimits, useProductionTraceLimitsInPrograms } from '../../support/time-limits';
import { aTrace, visitWithTrace } from '../../support/trace-context';
import { TraceCollector } from '../../support/trace-collector';
import { fixture } from '../../support/fixtures';

let key: string;
const collectors: TraceCollector[] = [];

const database = fixture(() => createDatabase());
beforeAll(async () => {
  key = (await anAccountByShell({ DATABASE_URL: database.url })).api_key.key;
});
afterEach(async () => {
  await endAllPrograms();
  await Promise.all(collectors.splice(0).map((collector) => collector.close()));
});

async function aCollector(...answer: Parameters<typeof TraceCollector.listen>): Promise<TraceCollector> {
  const collector = await TraceCollector.listen(...answer);
  collectors.push(collector);
  return collector;
}

const tracedBy = (environment: Record<string, string>): Promise<Program> =>
  Program.serving({ DATABASE_URL: database.url, ...environment });

test('on SIGTERM the remaining spans are sent, with that of the last request', async () => {
  const collector = await aCollector();
  const service = await tracedBy({ ...collector.environment, OTEL_BSP_SCHEDULE_DELAY: '600000' });
  const traces = Array.from({ length: 20 }, () => aTrace());
  for (const { headers } of traces) await service.ask('/api/v1/projects', { key, headers });
  const last = aTrace();
  await visitWithTrace(last, service, 'nobody', '/x');
  expect(collector.requests).toHaveLength(0);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  const sent = collector.spans.filter(({ kind }) => kind === 2).map(({ traceId }) => traceId);
  expect(sent.sort()).toEqual([...traces, last].map(({ id }) => id).sort());
});

describe('a collector that', () => {
  beforeAll(useProductionTraceLimitsInPrograms);
  afterAll(useGenerousTimeLimits);

  const troubles: [string, () => Promise<Record<string, string>>][] = [
    [
      'is away',
      async () => ({
        ...(await aCollector()).environment,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      }),
    ],
    ['never answers', async () => (await aCollector(() => {})).environment],
    [
      'answers 503 with a Retry-After of an hour',
      async () =>
        (await aCollector((response) => response.writeHead(503, { 'Retry-After': '3600' }).end())).environment,
    ],
  ];

  test.each(troubles)('%s delays neither requests nor the shutdown', async (_, environment) => {
    const service = await tracedBy({
      ...(await environment()),
      OTEL_BSP_MAX_QUEUE_SIZE: '64',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '16',
    });
    const answers = [];
    // More than the capacity of the queue.
    for (let round = 0; round < 20; round++)
      answers.push(
        ...(await Promise.all([
          ...Array.from({ length: 10 }, () => service.ask('/api/v1/projects', { key })),
          ...Array.from({ length: 10 }, () => service.visit('nobody', '/x')),
        ])),
      );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
    expect(Math.max(...answers.map(({ tookSteady }) => tookSteady))).toBeLessThan(8000);
    const startedAt = steadyNow();
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    // Two seconds for the collector, and some for the rest of the shutdown.
    expect(steadyNow() - startedAt).toBeLessThan(15_000);
    expect(service.stderr).toBe('');
    const complaints = service.logLines.filter(({ message }) => String(message).startsWith('traces: '));
    expect(complaints.length).toBeLessThanOrEqual(1);
    for (const { level } of complaints) expect(level).toBe('warn');
  });

  test('refuses causes a warning', async () => {
    const service = await tracedBy((await aCollector((response) => response.writeHead(401).end())).environment);
    await service.ask('/api/v1/projects', { key });
    await service.stop();
    const messages = service.logLines.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/^traces: spans are lost: /));
  });
});

describe('the SDK’s own variables', () => {
  test('the default sends protobuf to /v1/traces below the endpoint, with the given headers', async () => {
    const collector = await aCollector();
    const { OTEL_EXPORTER_OTLP_ENDPOINT } = collector.environment;
    const service = await tracedBy({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${OTEL_EXPORTER_OTLP_ENDPOINT}/tenant`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=links',
      OTEL_SERVICE_NAME: 'our-links',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
    });
    await service.ask('/api/v1/projects', { key });
    await service.stop();
    expect(collector.requests).toEqual([
      {
        url: '/tenant/v1/traces',
        headers: expect.objectContaining({ 'content-type': 'application/x-protobuf', 'x-tenant': 'links' }),
      },
    ]);
    for (const word of ['GET /api/v1/projects', 'SELECT projects', 'our-links', 'staging'])
      expect(collector.bodies[0]!.includes(word)).toBe(true);
  });

  test.each([
    ['OTEL_TRACES_SAMPLER', 'always_off'],
    ['OTEL_SDK_DISABLED', 'true'],
    ['OTEL_TRACES_EXPORTER', 'none'],
  ])('%s=%s: requests are answered, and nothing is sent', async (variable, value) => {
    const collector = await aCollector();
    const service = await tracedBy({ ...collector.environment, [variable]: value });
    expect((await service.ask('/api/v1/projects', { key })).status).toBe(200);
    expect((await service.visit('nobody', '/x')).status).toBe(404);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(collector.requests).toEqual([]);
    for (const line of service.logLines) expect(line['trace_id']).not.toBe('0'.repeat(32));
  });
});
