import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { HostProbe } from '../../../src/diagnostics/association-health/host-probe';
import { InMemoryRateLimitStorage } from '../../../src/platform/rate-limit/in-memory-rate-limit-storage';
import { OutboundConnection } from '../../../src/platform/outbound/outbound-connection';
import { Clock } from '../../../src/shared/clock';
import { ProbeLimits } from '../../../src/platform/outbound/probe-limits';
import { steadyNow } from '../../support/steady-now';
import { aCertificate, TlsHost } from '../../support/tls-host';
import { fixture } from '../../support/fixtures';

const certificate = fixture(() => aCertificate(['links.example.com']));
const host = fixture(() => TlsHost.start(certificate));

/** Fills the accept queue, so that further connection attempts get no answer, as for a distant host. */
async function openSilentAddress(address: string, port: number): Promise<{ stop(): Promise<void> }> {
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     require('node:net').createServer().listen({ ...workerData, backlog: 1 }, () => {
       parentPort.postMessage('listening');
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true, workerData: { host: address, port } },
  );
  await once(worker, 'message');
  const sockets: Socket[] = [];
  const isFull = async (): Promise<boolean> => {
    const socket = connect({ host: address, port }).on('error', () => {});
    sockets.push(socket);
    return Promise.race([
      once(socket, 'connect').then(() => false),
      // A connection that is established while this process stands still is noticed before the end of the turn.
      new Promise<true>((resolve) => void setTimeout(() => setImmediate(() => resolve(true)), 100)),
    ]);
  };
  while (!(await isFull()));
  return {
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await worker.terminate();
    },
  };
}

test('a slow address gets one second, then the next one is tried', async () => {
  const slow = await openSilentAddress('127.0.0.2', host.port);
  try {
    const url = new URL(`https://links.example.com:${host.port}/`);
    const addresses = { addressesOf: async () => ['127.0.0.2', '127.0.0.1'] };
    const settings = { allowPrivateAddresses: true, maxAnswerBytes: 100, timeoutMs: 120_000 };
    const connection = new OutboundConnection(addresses, { ...settings, caCertificates: certificate.cert });
    const startedAt = performance.now();
    const request = { method: 'GET', url, headers: {} } as const;
    expect(await connection.send(request, new AbortController().signal)).toMatchObject({ status: 404 });
    connection.close();
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  } finally {
    await slow.stop();
  }
});

const files = { ios: { json: '{}', tag: '"i"' }, android: { json: '[]', tag: '"a"' } };
const limits = () => new ProbeLimits(new InMemoryRateLimitStorage(new Clock()), { perMinute: 1 });

test('a server that sends slowly is aborted after five seconds', async () => {
  host.answer = (incoming, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 100);
    incoming.socket.on('close', () => clearInterval(drip));
  };
  const local = { addressesOf: async () => ['127.0.0.1'] };
  const probe = new HostProbe(local, { allowPrivateAddresses: true }, limits(), certificate.cert);
  const origin = `https://links.example.com:${host.port}`;
  const startedAt = steadyNow();
  const failed = expect.objectContaining({ kind: 'failed', stage: 'no_answer' }) as object;
  expect((await probe.probe('account', [origin], files)).get(origin)).toEqual({ ios: failed, android: failed });
  // Without the time limit of a file, that of the probe ends it after ten.
  expect(steadyNow() - startedAt).toBeLessThan(9_000);
});

test('hosts that are not reached in time are reported as not probed', async () => {
  const silent = {
    addressesOf: (_: string, signal: AbortSignal) =>
      new Promise<null>((done) => signal.addEventListener('abort', () => done(null))),
  };
  const origins = Array.from({ length: 9 }, (_, at) => `https://h${at}.example.com`);
  const found = await new HostProbe(silent, { allowPrivateAddresses: true }, limits()).probe('account', origins, files);
  expect([...found.values()]).toEqual(origins.map(() => 'not_probed'));
});
