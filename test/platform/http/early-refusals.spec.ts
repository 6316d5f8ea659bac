import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { EarlyRefusals } from '../../../src/platform/http/early-refusals';
import { Log } from '../../../src/platform/observability/log';
import { listenOnLoopback } from '../../support/loopback';

test('malformed HTTP during a response ends the connection and adds nothing to the response', async () => {
  const server = createServer((_request, response) => void response.write('begun'));
  new EarlyRefusals(new Log('silent', { write: () => {} }).logger).watch(server);
  const socket = connect(await listenOnLoopback(server), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    const isFirst = !received.includes('begun');
    received += chunk.toString();
    if (isFirst && received.includes('begun')) socket.write('garbage\r\n\r\n');
  });
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'close');
  await new Promise((resolve) => server.close(resolve));
  expect(received).toContain('begun');
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

describe('a refused client', () => {
  let server: Server;
  let port: number;
  let accepted: Socket[];
  beforeEach(async () => {
    accepted = [];
    server = createServer((request) => void request.resume());
    server.on('connection', (socket) => accepted.push(socket));
    new EarlyRefusals(new Log('silent', { write: () => {} }).logger, 100).watch(server);
    port = await listenOnLoopback(server);
  });
  afterEach(async () => {
    for (const socket of accepted) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Sends a request on a connection whose side the client keeps open. Resolves with the answer. */
  const refused = async (text: string): Promise<{ client: Socket; answer: string }> => {
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => {});
    client.write(text);
    const [chunk] = (await once(client, 'data')) as [Buffer];
    return { client, answer: chunk.toString() };
  };

  test.each([
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
    ['what is no HTTP', 'garbage\r\n\r\n'],
  ])('that keeps its side open after %s is disconnected', async (_, text) => {
    const { client, answer } = await refused(text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    await once(accepted[0]!, 'close');
    client.destroy();
  });

  test('that sends more after CONNECT, and goes, leaves no connection', async () => {
    const { client } = await refused('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
    client.write('more');
    client.destroy();
    await once(accepted[0]!, 'close');
  });

  test('whose request took too long is disconnected, although it goes on to send', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n';
    const arrived = once(server, 'request');
    const late = refused(head);
    await arrived;
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', error, accepted[0]);
    const { client, answer } = await late;
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    const drip = setInterval(() => client.write('x'), 10);
    await once(accepted[0]!, 'close');
    clearInterval(drip);
    client.destroy();
  });
});
