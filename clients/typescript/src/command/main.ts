#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { splitCommand } from './parse-arguments.js';
import { commands } from './commands.js';
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

const argv = process.argv.slice(2);
const { command } = splitCommand(argv, commands);
const mayStop = command === null || command.isReadOnly === true;
let isOutputLost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` that has enough closes the pipe. Changes go on, because nobody asked to stop them.
  if (error.code !== 'EPIPE') isOutputLost = true;
  if (mayStop) process.exit(isOutputLost ? exitCodes.failed : exitCodes.done);
});
process.stderr.on('error', () => undefined);

const { stdin, stdout, stderr, env } = process;
const exitCode = await run(argv, {
  stdin,
  stdout,
  stderr,
  env,
  signal: interruption.signal,
  version,
  pages: fileURLToPath(new URL('../docs', import.meta.url)),
});
await Promise.all([stdout, stderr].map((output) => new Promise((resolve) => output.write('', resolve))));
// An open stdin, or the connection of a refused upload, would keep the process alive for seconds.
process.exit(isOutputLost && exitCode === exitCodes.done ? exitCodes.failed : exitCode);
