import { connect } from 'node:net';
import { readFileSync } from 'node:fs';

/**
 * Sends requests over keep-alive connections, each waiting for its answer before the next, and measures. It
 * ends when the time is over, or when there is no next request. Written on bare sockets, so that the client takes little of the
 * processor that the server and its database need.
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
      let received = '';
      let askedAt = 0;
      const ask = (now) => {
        askedAt = now;
        const next = now < endAt ? request(sent++) : null;
        if (next === null) socket.end(resolve);
        else socket.write(next, 'latin1');
      };
      const onBytes = (count, bytes) => {
        received += bytes.latin1Slice(0, count);
        const end = endOfAnswer(received);
        if (end === null || received.length < end) return true;
        if (Number(received.slice(9, 12)) !== expect) {
          reject(new Error(`expected ${expect}, got: ${received}`));
          return true;
        }
        received = '';
        const now = performance.now();
        latencies.push(now - askedAt);
        ask(now);
        return true;
      };
      // Into a buffer of its own, past the stream: it takes two thirds of the processor time.
      const onread = { buffer: Buffer.allocUnsafe(16_384), callback: onBytes };
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
      socket.on('connect', () => ask(performance.now()));
      socket.on('error', reject);
    });
  }
}

/** How long the answer is, of one that begins so; null until its head is there. */
function endOfAnswer(answer) {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const length = /content-length: (\d+)/i.exec(answer.slice(0, headEnd))?.[1] ?? 0;
  return headEnd + 4 + Number(length);
}

/** Seconds of processor time that the process has taken, user and system. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
