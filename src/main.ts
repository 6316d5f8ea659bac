import { setFlagsFromString } from 'node:v8';
import { BadSetting } from './shared/bad-setting';

/**
 * V8 lets a heap of this size grow to several times what is in use before it collects what is old; clicks that wait to be written
 * get old. Percent that it may grow by: a busy process stays at 260 MB instead of 400.
 */
setFlagsFromString('--heap-growing-percent=75');

/**
 * Tracing comes first, where it is wanted: `pg` is instrumented while it is loaded, and `serve` loads it. Where it is not wanted
 * nothing of it is loaded at all.
 */
async function main(): Promise<void> {
  const { readConfig } = await import('./app/config.js');
  const { Log } = await import('./platform/observability/log.js');
  const config = readConfig();
  const log = new Log(config.logLevel);
  const tracing = config.otlpEndpoint && (await import('./platform/observability/tracing.otel.js')).Tracing.start(log);
  const { serve } = await import('./app/serve.js');
  await serve(config, log, tracing);
}

main().catch((error: unknown) => {
  // One line, without a stack: what is wrong is outside the program.
  process.stderr.write(
    `${error instanceof BadSetting ? '' : 'cannot start: '}${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
