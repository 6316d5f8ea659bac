#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { exitCodes } from './exit-codes.js';
import { run } from './run.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // A second signal does not wait for the service.
    if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
    interruption.abort();
  });

// A reader such as `head` that has enough closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const { stdin, stdout, stderr, env } = process;
const exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  signal: interruption.signal,
  version,
});
await Promise.all([stdout, stderr].map((output) => new Promise((resolve) => output.write('', resolve))));
// An open stdin, or the connection of a refused upload, would keep the process alive for seconds.
process.exit(exitCode);
