import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ClickHouseError } from '@clickhouse/client';
import { ClickHouseUnavailable } from '../../../src/platform/clickhouse/clickhouse';
import { HttpClickHouse } from '../../../src/platform/clickhouse/http-clickhouse';
import { Metrics } from '../../../src/platform/observability/metrics';
import { Tenant } from '../../../src/platform/postgres/tenant-connection-limiter';
import { DatabaseUnavailable } from '../../../src/platform/postgres/database-error';
import { timeLeft, withDeadline } from '../../../src/platform/postgres/request-context';
import { timeLimits } from '../../../src/platform/postgres/time-limits';
import { ConcurrencyLimited } from '../../../src/platform/rate-limit/rate-limit.errors';
import { until } from '../../support/eventually';
import { listenOnLoopback } from '../../support/loopback';

let server: Server;
let clickHouse: HttpClickHouse;
/** The statement of the last request. */
let statement: string;
let body: (response: ServerResponse) => void;
/** The code of ClickHouse's error that answers statements which match the pattern. */
let refusal: { code: number; of: RegExp } | null;
beforeEach(async () => {
  refusal = null;
  const answer = (request: IncomingMessage, response: ServerResponse) => async (rest: string) => {
    const begin = new URL(request.url!, 'http://localhost').searchParams.get('query');
    statement = begin === null ? rest : `${begin}\n${rest}`;
    if (refusal?.of.test(statement)) {
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': String(refusal.code) });
      response.end(`Code: ${refusal.code}. DB::Exception: the reason (NAME)`);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    body(response);
  };
  server = createServer((request, response) => {
    void text(request).then(answer(request, response), () => {});
  });
  clickHouse = new HttpClickHouse(new URL(`http://127.0.0.1:${await listenOnLoopback(server)}`));
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

const clicks = { table: 'clicks', columns: ['project_id'], rows: '1\n', token: 'writer:1' };
const ended = (response: ServerResponse): void => void response.end('{"a":1}\n');

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
  });
});

describe('ClickHouse counts as up', () => {
  const insert = () => clickHouse.insert(clicks);
  beforeEach(async () => {
    body = ended;
    await clickHouse.check();
  });

  test.each([159, 160, 241])('after a read that reached its limit (code %i)', async (code) => {
    refusal = { code, of: /SELECT 1/ };
    await expect(reads.rows()).rejects.toThrow(ClickHouseUnavailable);
    expect(clickHouse.up).toBe(true);
    await clickHouse.check();
    expect(clickHouse.up).toBe(true);
  });

  test('once it answers again, whatever it answers', async () => {
    body = bodies['stops']!;
    const { probe } = timeLimits;
    timeLimits.probe = 200;
    await expect(clickHouse.check()).rejects.toThrow(ClickHouseUnavailable);
    timeLimits.probe = probe;
    expect(clickHouse.up).toBe(false);
    refusal = { code: 497, of: /ALTER/ };
    await expect(clickHouse.command('ALTER TABLE')).rejects.toThrow(ClickHouseUnavailable);
    expect(clickHouse.up).toBe(true);
  });

  test.each([242, 243, 252, 497, 27])('again only after an insert if it refused one (code %i)', async (code) => {
    refusal = { code, of: /^INSERT/ };
    await expect(insert()).rejects.toThrow(code === 27 ? ClickHouseError : ClickHouseUnavailable);
    expect(clickHouse.up).toBe(false);
    await clickHouse.check();
    await reads.rows();
    await clickHouse.command('SELECT 1');
    expect(clickHouse.up).toBe(false);
    refusal = null;
    await insert();
    expect(clickHouse.up).toBe(true);
  });

  test.each(['a failed read', 'a refused user', 'a command without an answer'])('no longer after %s', async (kind) => {
    if (kind === 'a refused user') refusal = { code: 516, of: /SELECT/ };
    else {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    const failed = kind === 'a command without an answer' ? clickHouse.command('ALTER TABLE') : reads.rows();
    await expect(failed).rejects.toThrow(ClickHouseUnavailable);
    await until(() => !clickHouse.up);
  });
});

describe('a statement in parts', () => {
  test('is sent as a whole, and its parts are read with the deadline of their request', async () => {
    body = ended;
    for (const deadlineMs of [600_000, 300_000]) {
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
      expect(left.filter((ms) => ms > deadlineMs - 200_000 && ms <= deadlineMs)).toHaveLength(10);
    }
  });

  test('fails with the error of a part, which is not that of ClickHouse', async () => {
    body = ended;
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

describe('connections', () => {
  const { share, shareProbe } = timeLimits;
  afterEach(() => Object.assign(timeLimits, { share, shareProbe }));

  const fastAnswer = [{ a: 1 }];
  let slow: ServerResponse[];
  beforeEach(() => {
    slow = [];
    body = (response) => void (statement.includes('slow') ? slow.push(response) : ended(response));
  });

  const readBy = (account: string, sql: string): Promise<unknown> =>
    withDeadline(60_000, () => clickHouse.rows(sql), new Tenant(account));

  /** Begins reads that are answered by `endSlowReads`. */
  async function slowReadsBy(account: string, count: number): Promise<Promise<unknown>[]> {
    const before = slow.length;
    const reads = Array.from({ length: count }, () => readBy(account, "SELECT 'slow'"));
    await until(() => slow.length === before + count);
    return reads;
  }

  function endSlowReads(): void {
    slow.forEach(ended);
  }

  test('an account uses a third of them, and others do not wait for it', async () => {
    const reads = await slowReadsBy('one', 4);
    const late = readBy('one', 'SELECT 1');
    expect(await readBy('other', 'SELECT 1')).toEqual(fastAnswer);
    expect([slow.length, clickHouse.shares.waiting]).toEqual([4, 1]);
    ended(slow.pop()!);
    expect(await late).toEqual(fastAnswer);
    endSlowReads();
    await Promise.all(reads);
    expect(await Promise.all(Array.from({ length: 4 }, () => readBy('one', 'SELECT 1')))).toHaveLength(4);
  });

  test('a read that waits too long is refused, and counted', async () => {
    const metrics = new Metrics();
    metrics.watch({
      signpost_clickhouse_share_waiting: () => clickHouse.shares.waiting,
      signpost_clickhouse_share_refused_total: () => clickHouse.shares.refused,
    });
    const reads = await slowReadsBy('one', 4);
    timeLimits.share = 50;
    await expect(readBy('one', 'SELECT 1')).rejects.toThrow(ConcurrencyLimited);
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^signpost_clickhouse_share_refused_total 1$/m);
    expect(text).toMatch(/^signpost_clickhouse_share_waiting 0$/m);
    endSlowReads();
    await Promise.all(reads);
  });

  test('clicks, health and upkeep do not wait for reads of many accounts', async () => {
    const reads = [
      ...(await slowReadsBy('one', 4)),
      ...(await slowReadsBy('two', 4)),
      ...(await slowReadsBy('last', 2)),
    ];
    await clickHouse.insert(clicks);
    await clickHouse.check();
    await clickHouse.command('SELECT 1');
    expect(await clickHouse.rows('SELECT 1')).toEqual(fastAnswer);
    endSlowReads();
    await Promise.all(reads);
  });
});
