import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpClickHouse } from '../../../src/platform/clickhouse/http-clickhouse';
import { DatabaseUnavailable } from '../../../src/platform/postgres/database-error';
import { withDeadline } from '../../../src/platform/postgres/deadline';

let server: Server;
let clickHouse: HttpClickHouse;
let body: (response: ServerResponse) => void;
beforeEach(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    body(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  clickHouse = new HttpClickHouse(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), null);
});
afterEach(async () => {
  await clickHouse.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const reads = {
  rows: (): Promise<unknown> => clickHouse.rows('SELECT 1'),
  lines: (): Promise<unknown> => clickHouse.lines('SELECT 1'),
};

const bodies: Record<string, (response: ServerResponse) => void> = {
  stops: (response) => void response.write('{"a":1}\n'),
  trickles: (response) => {
    const timer = setInterval(() => response.write('{"a":1}\n'), 10);
    response.on('close', () => clearInterval(timer));
  },
};

describe.each(Object.keys(bodies))('an answer that %s', (kind) => {
  test.each(Object.keys(reads))('ends %s at the time limit, and its connection', async (read) => {
    let closed: Promise<unknown> | undefined;
    body = (response) => {
      closed = once(response, 'close');
      bodies[kind]!(response);
    };
    const answer = withDeadline(200, () => reads[read as keyof typeof reads]());
    await expect(answer).rejects.toThrow(DatabaseUnavailable);
    await closed;
    expect(clickHouse.up).toBe(false);
  });
});

test('a whole answer is read', async () => {
  body = (response) => void response.end('{"a":1}\n{"a":2}\n');
  expect(await reads.rows()).toEqual([{ a: 1 }, { a: 2 }]);
  expect(await reads.lines()).toBe('{"a":1}\n{"a":2}\n');
  expect(clickHouse.up).toBe(true);
});
