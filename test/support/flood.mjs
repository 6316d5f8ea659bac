// Requests one path at a fixed rate, or as fast as the service answers if that is slower, over keep-alive connections.
// Usage: node flood.mjs PORT HOST PATH USER_AGENT CONNECTIONS PER_SECOND SECONDS
// In PATH and USER_AGENT, {n} becomes a number that differs for each request. Prints the number of answers by status as JSON.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [port, host, path, userAgent, connections, perSecond, seconds] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const startedAt = performance.now();
const end = startedAt + Number(seconds) * 1000;
const answers = {};
let sent = 0;

const ask = () =>
  new Promise((resolve, reject) => {
    const numbered = (text) => text.replace('{n}', String(sent));
    sent++;
    const options = { host: '127.0.0.1', port, path: numbered(path), agent };
    get({ ...options, headers: { Host: host, 'User-Agent': numbered(userAgent) } }, (response) => {
      answers[response.statusCode] = (answers[response.statusCode] ?? 0) + 1;
      response.on('end', resolve).resume();
    }).on('error', reject);
  });

await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (performance.now() < end) {
      const early = startedAt + (sent * 1000) / Number(perSecond) - performance.now();
      if (early > 1) await sleep(early);
      await ask();
    }
  }),
);
agent.destroy();
console.log(JSON.stringify(answers));
