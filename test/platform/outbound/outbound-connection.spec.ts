import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { HostAddresses } from '../../../src/platform/outbound/host-addresses';
import { OutboundConnection } from '../../../src/platform/outbound/outbound-connection';
import { aCertificate, TlsHost } from '../../support/tls-host';
import { fixture } from '../../support/fixtures';

class LoopbackAddresses extends HostAddresses {
  addressesOf(): Promise<string[]> {
    return Promise.resolve(['127.0.0.1']);
  }
}

const certificate = fixture(() => aCertificate(['links.example.com']));
const host = fixture(() => TlsHost.start(certificate));
const connection = fixture(
  () =>
    new OutboundConnection(new LoopbackAddresses(), {
      allowPrivateAddresses: true,
      maxAnswerBytes: 1000,
      timeoutMs: 10_000,
      caCertificates: certificate.cert,
      port: host.port,
    }),
);

test('a connection that many requests share keeps no listener of them', async () => {
  const sockets = new Set<Socket>();
  const listeners: number[] = [];
  const note = (message: unknown) => {
    const { socket } = (message as { request: ClientRequest }).request;
    sockets.add(socket!);
    listeners.push(socket!.listenerCount('connect') + socket!.listenerCount('secureConnect'));
  };
  host.answer = (_, response) => void response.end('{}');
  subscribe('http.client.response.finish', note);
  const request = { method: 'GET', url: new URL('https://links.example.com/list'), headers: {} } as const;
  const { signal } = new AbortController();
  try {
    for (let at = 0; at < 4; at++) expect((await connection.send(request, signal)).status).toBe(200);
  } finally {
    unsubscribe('http.client.response.finish', note);
  }
  expect(sockets.size).toBe(1);
  expect(listeners).toEqual(listeners.map(() => listeners[0]));
});
