// Sends bursts of parallel requests with one API key. It is a separate process, so that the measurement of others is not slowed down.
// Usage: node burst.mjs PORT KEY PARALLEL EVERY_MS MS. Opens the connections, prints `ready`, and waits for paths on standard input, one
// per line, which it requests in turn. Prints the number of answers by status, and the values of Retry-After of 429, as JSON.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [port, key, parallel, everyMs, milliseconds] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(parallel) });
const headers = { Authorization: `Bearer ${key}` };
const statuses = {};
const retryAfter = new Set();
let sent = 0;

const ask = (path) =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      response.on('end', () => resolve(response)).resume();
    }).on('error', reject);
  });
const askAll = (pathOf) => Promise.all(Array.from({ length: Number(parallel) }, () => ask(pathOf())));

await askAll(() => '/health/live');
console.log('ready');
const paths = readFileSync(0, 'utf8').split('\n');
const end = performance.now() + Number(milliseconds);
while (performance.now() < end) {
  const nextAt = performance.now() + Number(everyMs);
  for (const { statusCode, headers: answered } of await askAll(() => paths[sent++ % paths.length])) {
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    if (statusCode === 429) retryAfter.add(answered['retry-after']);
  }
  await sleep(Math.max(0, nextAt - performance.now()));
}
agent.destroy();
console.log(JSON.stringify({ statuses, retryAfter: [...retryAfter] }));
