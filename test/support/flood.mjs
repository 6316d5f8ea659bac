// Requests one path as fast as the service answers, over keep-alive connections.
// Usage: node flood.mjs PORT HOST PATH USER_AGENT CONNECTIONS SECONDS
// In PATH, {n} becomes a number that differs for each request. Prints the number of answers by status as JSON.
import { Agent, get } from 'node:http';

const [port, host, path, userAgent, connections, seconds] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const end = performance.now() + Number(seconds) * 1000;
const answers = {};
let sent = 0;

const ask = () =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: path.replace('{n}', String(++sent)), agent };
    get({ ...options, headers: { Host: host, 'User-Agent': userAgent } }, (response) => {
      answers[response.statusCode] = (answers[response.statusCode] ?? 0) + 1;
      response.on('end', resolve).resume();
    }).on('error', reject);
  });

await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (performance.now() < end) await ask();
  }),
);
agent.destroy();
console.log(JSON.stringify(answers));
