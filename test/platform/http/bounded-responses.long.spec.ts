import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { RequestQueue } from '../../../src/platform/http/request-queue';
import { responseLimits } from '../../../src/platform/http/server-limits';
import { UnreadResponses } from '../../../src/platform/http/unread-responses';
import { until } from '../../support/eventually';
import { endServer, listenOnLoopback } from '../../support/loopback';
import { withoutStalls } from '../../support/repeated-rounds';

const production = { ...responseLimits };
let server: Server;
let port: number;
let queue: RequestQueue;
let unread: UnreadResponses;
/** Paths of the requests that were started. */
let started: string[];
let sockets: Socket[];
/** The server's ends of the connections. */
let accepted: Socket[];

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
  started = [];
  sockets = [];
  accepted = [];
  queue = new RequestQueue((request, response) => {
    started.push(request.url!);
    answer(request, response);
  });
  // Longer than any pause of a test.
  server = createServer({ keepAliveTimeout: 600_000 }, queue.listener);
  unread = new UnreadResponses(server);
  server.on('connection', (socket: Socket) => accepted.push(socket));
  port = await listenOnLoopback(server);
}

afterEach(async () => {
  await stopServing();
  Object.assign(responseLimits, production);
});

function stopServing(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return endServer(server);
}

/** Opens a connection and sends bytes. */
function send(bytes: string): Socket & { received: string } {
  const socket = Object.assign(connect(port, '127.0.0.1'), { received: '' });
  socket.setEncoding('latin1').on('error', () => {});
  socket.write(bytes);
  sockets.push(socket);
  return socket;
}

function sendAndRead(bytes: string): Socket & { received: string } {
  const socket = send(bytes);
  socket.on('data', (chunk: string) => (socket.received += chunk));
  return socket;
}

/** Waits until the connection is closed, also by a reset. */
const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const paths = (count: number): string[] => Array.from({ length: count }, (_, at) => `/${at}`);
const bodies = (received: string): string[] => [...received.matchAll(/\r\n\r\n(\/\d+;)/g)].map(([, body]) => body!);

/** More than the kernel buffers for a client that does not read. */
const large = Buffer.alloc(16_000_000, 'x');

describe('pipelined requests', () => {
  it('start one after the other, and get their responses in order', async () => {
    let unanswered = 0;
    let maxUnanswered = 0;
    await serve(({ url }, response) => {
      maxUnanswered = Math.max(maxUnanswered, ++unanswered);
      setImmediate(() => {
        unanswered--;
        response.end(`${url};`);
      });
    });
    const client = sendAndRead(paths(100).map(get).join(''));
    await until(() => bodies(client.received).length === 100);
    expect(bodies(client.received)).toEqual(paths(100).map((path) => `${path};`));
    expect(maxUnanswered).toBe(1);
    expect(queue.counts).toEqual({ waiting: 0, cut: 0 });
  });

  it('are answered up to the limit of a connection, which then closes', async () => {
    await serve(({ url }, response) => response.end(`${url};`));
    const client = sendAndRead(paths(1000).map(get).join(''));
    await closed(client);
    expect(bodies(client.received)).toEqual(paths(101).map((path) => `${path};`));
    expect(client.received.match(/Connection: close/g)).toHaveLength(1);
    expect(client.received).toMatch(/Connection: close\r\n(?:.+\r\n)*\r\n\/100;$/);
    expect(queue.counts).toEqual({ waiting: 0, cut: 0 });
  });

  it('keep their bodies', async () => {
    await serve((request, response) => {
      let body = '';
      request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => response.end(`/${body.length};`));
    });
    const post = (length: number): string =>
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`;
    const lengths = [10, 300_000, 0, 500_000, 7];
    const client = sendAndRead(lengths.map(post).join(''));
    await until(() => bodies(client.received).length === lengths.length);
    expect(bodies(client.received)).toEqual(lengths.map((length) => `/${length};`));
  });

  it('wait while the client does not read, and are not read themselves', async () => {
    await serve((_, response) => response.end(large));
    const client = send(get('/').repeat(100_000));
    await until(() => queue.counts.waiting > 0);
    await delay(300);
    expect(started).toHaveLength(1);
    expect(queue.counts.waiting).toBe(production.maxWaitingPerConnection);
    expect(accepted[0]!.bytesRead).toBeLessThan(200_000);
    client.destroy();
    await until(() => queue.counts.waiting === 0);
    expect(unread.counts.bytes).toBe(0);
  });

  it('are cut off beyond the limit of the process, and cost no other connection', async () => {
    responseLimits.maxWaitingRequests = 10;
    const held: ServerResponse[] = [];
    await serve(({ url }, response) => (url === '/held' ? held.push(response) : response.end(`${url};`)));
    const waiting = sendAndRead(get('/held') + paths(10).map(get).join(''));
    await until(() => queue.counts.waiting === 10);
    const tooMany = send(get('/held').repeat(1000));
    await closed(tooMany);
    expect(queue.counts).toEqual({ waiting: 10, cut: 1 });
    expect(started).toHaveLength(2);
    const other = sendAndRead(get('/1'));
    await until(() => bodies(other.received).length === 1);
    held[0]!.end();
    await until(() => bodies(waiting.received).length === 10);
  });
});

describe('a client that does not read', () => {
  it('is cut off after two intervals without progress', async () => {
    Object.assign(responseLimits, { stallTimeoutMs: 300, stallCheckIntervalMs: 50 });
    await serve((_, response) => response.end(large));
    const client = send(get('/'));
    await until(() => unread.counts.stalled === 1);
    expect(unread.counts).toEqual({ bytes: 0, cut: 0, stalled: 1 });
    client.resume();
    await closed(client);
    expect(client.bytesRead).toBeLessThan(large.length);
  });

  it('keeps its connection while it makes progress, and afterwards', async () => {
    Object.assign(responseLimits, { stallTimeoutMs: 4000, stallCheckIntervalMs: 50 });
    // A client of a process that stands still makes no progress.
    await withoutStalls(1000, async () => {
      await serve((_, response) => response.end(large));
      try {
        await readSlowly();
      } catch (error) {
        await stopServing();
        throw error;
      }
    });
  });

  /** Expects a response that is read in ten seconds, and another one on the same connection later. */
  async function readSlowly(): Promise<void> {
    const client = send(get('/'));
    const slowly = setInterval(() => client.resume(), 400);
    const pause = (chunk: string): unknown => client.bytesRead % 800_000 < chunk.length && client.pause();
    client.on('data', pause);
    await until(() => client.bytesRead > large.length || client.destroyed);
    clearInterval(slowly);
    client.off('data', pause);
    client.on('data', () => {}).resume();
    await delay(6000);
    expect(unread.counts).toEqual({ bytes: 0, cut: 0, stalled: 0 });
    client.write(get('/again'));
    await until(() => client.bytesRead > 2 * large.length || client.destroyed);
    expect(started).toEqual(['/', '/again']);
    expect(client.bytesRead).toBeGreaterThan(2 * large.length);
  }
});

test('a response that exceeds the limit of the process alone is reset, and not the others', async () => {
  responseLimits.maxUnreadBytes = 1.5 * large.length;
  await serve(({ url }, response) => response.end(url === '/' ? large : Buffer.concat([large, large])));
  const other = send(get('/'));
  await until(() => unread.counts.bytes > 0);
  const larger = send(get('/larger'));
  await closed(larger.resume());
  expect(unread.counts.cut).toBe(1);
  other.resume();
  await until(() => other.bytesRead > large.length);
});

test('beyond the limit of the process, the connections are reset that have waited the longest', async () => {
  responseLimits.maxUnreadBytes = 2.5 * large.length;
  await serve((_, response) => response.end(large));
  const clients: Socket[] = [];
  for (let at = 1; at <= 4; at++) {
    clients.push(send(get('/')));
    await until(() => started.length === at);
  }
  await until(() => unread.counts.cut === 2);
  expect(unread.counts.bytes).toBeLessThanOrEqual(responseLimits.maxUnreadBytes);
  clients.forEach((client) => client.resume());
  await Promise.all(clients.slice(0, 2).map(closed));
  await until(() => clients.slice(2).every(({ bytesRead }) => bytesRead > large.length));
  await until(() => unread.counts.bytes === 0);
});
