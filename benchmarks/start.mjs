// npm run bench:start measures the start of each role on a migrated database. It prints the time until the process listens, the CPU time
// until then, and the resident memory at rest. A bare node:http server and an empty Nest application are measured in the same run.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, median } from './load.mjs';
import { checkout, postgres } from './programs.mjs';

const rounds = Number(process.env.ROUNDS ?? 7);
const restMs = 3000;

const database = await postgres();
const service = (ROLE) => ({ file: 'dist/main.js', environment: { DATABASE_URL: database.url, ROLE } });
const baseline = (BASELINE) => ({ file: 'benchmarks/start-baseline.mjs', environment: { BASELINE } });
const programs = {
  'node:http': baseline('node'),
  'empty Nest': baseline('nest'),
  'ROLE=traffic': service('traffic'),
  'ROLE=api': service('api'),
  'ROLE=all': service('all'),
};

try {
  await start(service('all')); // migrates the database
  const results = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, program] of Object.entries(programs)) results[name].push(await start(program));
  console.log(`medians of ${rounds} starts`);
  for (const [name, all] of Object.entries(results)) {
    const of = (figure) => median(all.map((result) => result[figure]));
    const ratio = (figure) =>
      median(all.map((result, round) => result[figure] / results['empty Nest'][round][figure])).toFixed(2);
    console.log(
      `${name.padEnd(13)} ready after ${of('readyMs').toFixed(0).padStart(5)} ms (${ratio('readyMs')} of an empty Nest)  ` +
        `CPU ${of('cpuMs').toFixed(0).padStart(5)} ms (${ratio('cpuMs')})  at rest ${of('megabytes').toFixed(0).padStart(4)} MB (${ratio('megabytes')})`,
    );
  }
} finally {
  await database.stop();
}

/** Starts a program, lets it rest, and ends it. */
async function start({ file, environment }) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(checkout, file)], {
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (/"port":\d+/.test(output)) resolve();
    });
    child.on('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  const readyMs = performance.now() - startedAt;
  const cpuMs = cpuSeconds(child.pid) * 1000;
  await sleep(restMs);
  const status = readFileSync(`/proc/${child.pid}/status`, 'latin1');
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1000;
  child.removeAllListeners('exit');
  await new Promise((resolve) => {
    child.on('exit', resolve);
    child.kill();
  });
  return { readyMs, cpuMs, megabytes };
}
