import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Drain, isEnding } from '../../../src/platform/http/drain';
import { listenOnLoopback } from '../../support/loopback';

let server: Server;
let port: number;
let drain: Drain;
let responses: ServerResponse[];
const clients: Socket[] = [];
beforeEach(async () => {
  responses = [];
  server = createServer((_, response) => responses.push(response));
  drain = new Drain(server);
  port = await listenOnLoopback(server);
});
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

const send = (text: string): Socket => {
  const client = connect(port, '127.0.0.1');
  client.on('error', () => {}).resume();
  clients.push(client);
  client.write(text);
  return client;
};

test('a connection that Node has given away ends at the time limit', async () => {
  server.on('connect', () => {});
  send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
  await once(server, 'connect');
  drain.begin();
  await drain.close(100);
  expect(server.listening).toBe(false);
});

test.each(['keep-alive', 'close'])('a response with Connection: %s learns that the process stops', async (kind) => {
  const requested = once(server, 'request');
  const client = send(`GET / HTTP/1.1\r\nHost: localhost\r\nConnection: ${kind}\r\n\r\n`);
  await requested;
  const [running] = responses;
  expect(isEnding(running!)).toBe(false);
  drain.begin();
  expect(isEnding(running!)).toBe(true);
  const closed = once(client, 'close');
  running!.end('done');
  await drain.close(10_000);
  await closed;
});

test('a response that begins during the drain knows it', async () => {
  drain.begin();
  const requested = once(server, 'request');
  send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await requested;
  expect(isEnding(responses[0]!)).toBe(true);
  responses[0]!.end();
  await drain.close(10_000);
});
