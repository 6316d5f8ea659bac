import { once } from 'node:events';
import { Agent, request } from 'node:http';

export const agent = new Agent({ keepAlive: true });

/** Sends a request to the management API, and returns the `data` of its response. */
export function ask(port, method, path, key) {
  const headers = { Authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: `/api/v1${path}`, method, headers, agent });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(text).data);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
    });
    outgoing.end();
  });
}

/** Returns the milliseconds of each request. The first request, with a cold cache, is excluded. */
export async function measureRequests(port, path, key, rounds) {
  const times = [];
  for (let round = 0; round <= rounds; round++) {
    const startedAt = performance.now();
    await ask(port, 'GET', path, key);
    if (round > 0) times.push(performance.now() - startedAt);
  }
  return times;
}

/** Counts the lines and bytes of a response. */
export async function countLines(port, path, key) {
  const headers = { Authorization: `Bearer ${key}` };
  const outgoing = request({ host: '127.0.0.1', port, path: `/api/v1${path}`, headers });
  outgoing.end();
  const [response] = await once(outgoing, 'response');
  if (response.statusCode !== 200) throw new Error(`GET ${path}: ${response.statusCode}`);
  let [lines, bytes] = [0, 0];
  for await (const chunk of response) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
  }
  return { lines, bytes };
}
