// Sends bursts of parallel requests with one API key. It is a separate process, so that the measurement of others is not slowed down.
// Usage: node burst.mjs PORT KEY PARALLEL EVERY_MS MS < paths. The paths, one per line, are requested in turn.
// Prints the number of answers by status, and the values of Retry-After, as JSON.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [port, key, parallel, everyMs, milliseconds] = process.argv.slice(2);
const paths = readFileSync(0, 'utf8').split('\n');
const agent = new Agent({ keepAlive: true, maxSockets: Number(parallel) });
const headers = { Authorization: `Bearer ${key}` };
const statuses = {};
const retryAfter = new Set();
let sent = 0;

const ask = () =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: paths[sent++ % paths.length], agent, headers }, (response) => {
      statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
      if (response.headers['retry-after']) retryAfter.add(response.headers['retry-after']);
      response.on('end', resolve).resume();
    }).on('error', reject);
  });

const end = performance.now() + Number(milliseconds);
while (performance.now() < end) {
  const nextAt = performance.now() + Number(everyMs);
  await Promise.all(Array.from({ length: Number(parallel) }, ask));
  await sleep(Math.max(0, nextAt - performance.now()));
}
agent.destroy();
console.log(JSON.stringify({ statuses, retryAfter: [...retryAfter] }));
