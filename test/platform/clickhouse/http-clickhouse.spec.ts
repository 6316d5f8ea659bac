import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { HttpClickHouse } from '../../../src/platform/clickhouse/http-clickhouse';
import { DatabaseUnavailable } from '../../../src/platform/postgres/database-error';
import { timeLeft, withDeadline } from '../../../src/platform/postgres/deadline';
import { ConcurrencyLimited } from '../../../src/platform/rate-limit/rate-limit.errors';

let server: Server;
let clickHouse: HttpClickHouse;
/** The statement of the last request. */
let statement: string;
let body: (response: ServerResponse) => void;
beforeEach(async () => {
  server = createServer((request, response) => {
    void text(request).then(
      (rest) => {
        const begin = new URL(request.url!, 'http://localhost').searchParams.get('query');
        statement = begin === null ? rest : `${begin}\n${rest}`;
        response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
        body(response);
      },
      () => {},
    );
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

describe('a statement in parts', () => {
  const answered = (response: ServerResponse): void => void response.end('{"a":1}\n');

  test('is sent as a whole, and its parts are read with the deadline of their request', async () => {
    body = answered;
    for (const deadlineMs of [50_000, 5000]) {
      const left: number[] = [];
      async function* parts() {
        yield 'SELECT';
        for (let part = 0; part < 10; part++) {
          await new Promise(setImmediate);
          left.push(timeLeft());
          yield `${' '.repeat(200_000)}${part},`;
        }
        yield '10';
      }
      expect(await withDeadline(deadlineMs, () => clickHouse.rows(parts()))).toEqual([{ a: 1 }]);
      expect(statement.replace(/ {2,}/g, ' ')).toBe('SELECT\n 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,10 FORMAT JSONEachRow');
      expect(left.filter((ms) => ms > deadlineMs - 4000 && ms <= deadlineMs)).toHaveLength(10);
    }
  });

  test('fails with the error of a part, which is not that of ClickHouse', async () => {
    body = answered;
    await clickHouse.rows('SELECT 1');
    const refusal = new ConcurrencyLimited();
    async function* parts() {
      yield 'SELECT';
      yield ' 1';
      await Promise.reject(refusal);
    }
    await expect(clickHouse.rows(parts())).rejects.toBe(refusal);
    expect(clickHouse.up).toBe(true);
  });
});
