import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers';

/**
 * Measures requests over keep-alive connections without pipelining. Ends after `seconds`, or when `request` returns null.
 * Uses bare sockets, because the server and its database share the processor with the client.
 *
 * @param {{ port: number, connections: number, seconds: number, request: (n: number) => string | null, pid: number, expect: number,
 *   perSecond?: number }} plan `perSecond` limits the rate. A latency then begins at the time when the request was due, so that a
 *   server that stands still is noticed.
 * @returns {Promise<{ requests: number, perSecond: number, p50: number, p99: number, cpu: number }>} latencies in milliseconds, CPU
 *   time of the server in microseconds per request
 */
export async function load({ port, connections, seconds, request, pid, expect, perSecond = Infinity }) {
  const latencies = [];
  let sent = 0;
  let due = 0;
  const cpuBefore = cpuSeconds(pid);
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, () => oneConnection()));
  const elapsed = performance.now() - startedAt;
  const cpu = ((cpuSeconds(pid) - cpuBefore) * 1e6) / latencies.length;
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  const requests = latencies.length;
  return { requests, perSecond: (requests * 1000) / elapsed, p50: at(0.5), p99: at(0.99), cpu };

  function oneConnection() {
    return new Promise((resolve, reject) => {
      let received = '';
      let sentAt = 0;
      const sendNext = (now) => {
        if (perSecond === Infinity) return send(now);
        const dueAt = startedAt + (due++ * 1000) / perSecond;
        if (dueAt <= now) send(dueAt);
        else setTimeout(send, Math.ceil(dueAt - now), dueAt);
      };
      const send = (at) => {
        sentAt = at;
        const next = at < endAt ? request(sent++) : null;
        if (next === null) socket.end(resolve);
        else socket.write(next, 'latin1');
      };
      const onBytes = (count, bytes) => {
        if (received === '' && expect === 302 && isRedirect(bytes, count)) return answered();
        received += bytes.latin1Slice(0, count);
        const end = responseLength(received);
        if (end === null || received.length < end) return true;
        if (Number(received.slice(9, 12)) !== expect) {
          reject(new Error(`expected ${expect}, got: ${received}`));
          return true;
        }
        received = '';
        return answered();
      };
      const answered = () => {
        const now = performance.now();
        latencies.push(now - sentAt);
        sendNext(now);
        return true;
      };
      // `onread` bypasses the stream, which saves a third of the client's CPU time.
      const onread = { buffer: Buffer.allocUnsafe(16_384), callback: onBytes };
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
      socket.on('connect', () => sendNext(performance.now()));
      socket.on('error', reject);
    });
  }
}

const [two, three, zero, carriageReturn, lineFeed] = Buffer.from('230\r\n');

/** Returns whether the bytes are a complete redirect without a body. It is cheap, because the server waits for the client. */
const isRedirect = (bytes, count) =>
  bytes[9] === three &&
  bytes[10] === zero &&
  bytes[11] === two &&
  bytes[count - 1] === lineFeed &&
  bytes[count - 2] === carriageReturn &&
  bytes[count - 3] === lineFeed;

/** Returns the length of the response in characters; null until its head is complete. */
function responseLength(response) {
  const headEnd = response.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const length = /content-length: (\d+)/i.exec(response.slice(0, headEnd))?.[1] ?? 0;
  return headEnd + 4 + Number(length);
}

/** Returns the user and system CPU time of the process in seconds. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
