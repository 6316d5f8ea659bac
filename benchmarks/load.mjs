import { connect } from 'node:net';
import { readFileSync } from 'node:fs';

/**
 * Sends requests over keep-alive connections, each waiting for its answer before the next, and measures. It
 * ends when the time is over, or when there is no next request. Written on bare
 * sockets, so that the client takes little of the processor that the server needs.
 *
 * @param {{ port: number, connections: number, seconds: number, request: (n: number) => string | null, pid: number, expect: number }} plan
 * @returns {Promise<{ perSecond: number, p50: number, p99: number, cpu: number }>} latencies in milliseconds, CPU of the server in
 *   microseconds a request
 */
export async function load({ port, connections, seconds, request, pid, expect }) {
  const latencies = [];
  let sent = 0;
  const cpuBefore = cpuOf(pid);
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, () => oneConnection()));
  const elapsed = performance.now() - startedAt;
  const cpu = ((cpuOf(pid) - cpuBefore) * 1e6) / latencies.length;
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  return { perSecond: (latencies.length * 1000) / elapsed, p50: at(0.5), p99: at(0.99), cpu };

  function oneConnection() {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let received = Buffer.alloc(0);
      let askedAt = 0;
      const ask = () => {
        askedAt = performance.now();
        const next = askedAt < endAt ? request(sent++) : null;
        if (next === null) socket.end(resolve);
        else socket.write(next);
      };
      socket.setNoDelay(true);
      socket.on('connect', ask);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const headEnd = received.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        const head = received.toString('latin1', 0, headEnd);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (received.length < headEnd + 4 + length) return;
        const status = Number(head.slice(9, 12));
        if (status !== expect) return void reject(new Error(`expected ${expect}, got: ${received.toString('utf8')}`));
        received = Buffer.alloc(0);
        latencies.push(performance.now() - askedAt);
        ask();
      });
    });
  }
}

/** Seconds of processor time that the process has taken, user and system. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
