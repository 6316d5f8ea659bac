import { databaseOfPrograms, Program } from '../../support/process';

const database = databaseOfPrograms();

/** A preload script that prints the loaded modules when the program ends. */
const atExit = `
  import { Module } from 'node:module';
  process.on('exit', () => process.stderr.write(Object.keys(Module._cache).map((file) => file + '\\n').join('')));
`;

/** Returns the files that the program loads when it answers a request and ends. */
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

test('OpenTelemetry is not loaded without a collector', async () => {
  const files = await loadedBy({ OTEL_SERVICE_NAME: 'signpost', OTEL_TRACES_SAMPLER: 'always_on' });
  expect(files.some((file) => file.endsWith('/dist/main.js'))).toBe(true);
  // Without the API package, which prom-client loads and which does nothing without the SDK.
  const ofTracing = /@opentelemetry\/(?!api\/)|-in-the-middle|protobuf|grpc|chunks\/tracing/;
  expect(files.filter((file) => ofTracing.test(file))).toEqual([]);
});
