import { createDatabase, type TestDatabase } from '../../support/database';
import { endAllPrograms, Program } from '../../support/process';
import { TraceCollector } from '../../support/trace-collector';

jest.setTimeout(60_000);

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  await endAllPrograms();
  await database.drop();
});

/** Runs before the program, and has it tell at its end which modules it had loaded. */
const atExit = `
  import { Module } from 'node:module';
  process.on('exit', () => process.stderr.write(Object.keys(Module._cache).map((file) => file + '\\n').join('')));
`;

/** The files that the program loads when it serves an answer and ends. */
async function loadedBy(environment: Record<string, string>): Promise<string[]> {
  const program = await Program.serving({
    DATABASE_URL: database.url,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(atExit)}`,
    ...environment,
  });
  expect((await program.ask('/health/ready')).status).toBe(200);
  expect((await program.visit('nobody', '/x')).status).toBe(404);
  expect(await program.stop()).toEqual({ code: 0, signal: null });
  return program.stderr.split('\n');
}

/** But for the interfaces, which prom-client loads: they do nothing where there is no SDK. */
const ofTracing = (files: string[]): string[] =>
  files.filter((file) => /@opentelemetry\/(?!api\/)|-in-the-middle|protobuf|grpc|dist\/tracing/.test(file));

test('without a collector nothing of OpenTelemetry is loaded', async () => {
  const files = await loadedBy({ OTEL_SERVICE_NAME: 'signpost', OTEL_TRACES_SAMPLER: 'always_on' });
  expect(files.some((file) => file.includes('node_modules/pg/lib'))).toBe(true);
  expect(ofTracing(files)).toEqual([]);
});

test('with one it is', async () => {
  const collector = await TraceCollector.listen();
  const files = await loadedBy(collector.environment);
  expect(ofTracing(files).length).toBeGreaterThan(100);
  await collector.close();
});
