// npm run check: runs all checks, two at a time, and prints the output of each when it ends. Fails if any check failed.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The slowest check first, so that the others run beside it. Types and lint read the generated client. */
const before = ['client'];
/** Needs the build, which the check of the API description makes. */
const after = ['check:schema'];
const checks = ['lint', 'openapi', 'format', 'types', 'typed-lint', 'layers', 'unused', 'workflows'].map(
  (name) => `check:${name}`,
);

const failed = [];

const run = (script) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => {
      console.log(
        `--- ${script}: ${code === 0 ? 'passed' : 'FAILED'} in ${Math.round((performance.now() - startedAt) / 1000)} s`,
      );
      process.stdout.write(Buffer.concat(output));
      if (code !== 0) failed.push(script);
      resolve();
    });
  });

async function runAll(scripts) {
  const waiting = [...scripts];
  const lane = async () => {
    for (let script = waiting.shift(); script; script = waiting.shift()) await run(script);
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane));
}

await runAll(before);
if (failed.length === 0) await runAll(checks);
if (failed.length === 0) await runAll(after);
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
