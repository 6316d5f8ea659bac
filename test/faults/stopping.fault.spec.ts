import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { Cluster, serverPid, temporaryDirectory } from '../support/cluster';
import { type Answer, ask } from '../support/ask';
import { becomesTrue, until } from '../support/eventually';
import { atEndOfTest } from '../support/end-of-test';
import { freePort } from '../support/free-port';
import { anAccountByShell, endAllPrograms, Program, databaseOfPrograms } from '../support/process';
import { steadyNow } from '../support/steady-now';
import { useProductionTimeLimitsInPrograms } from '../support/time-limits';
import { isAlive } from '../support/running-processes';
import { fixture } from '../support/fixtures';

const database = databaseOfPrograms();
const account = fixture(() => anAccountByShell({ DATABASE_URL: database.url }));
let service: Program;
let links: string;

/** Much less than the timeout of a shutdown, and more than a slow machine needs for one. */
const maxStopMs = 100_000;
const environment = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  SHUTDOWN_TIMEOUT_SECONDS: '300',
});

beforeEach(async () => {
  service = await Program.serving(environment());
});

afterEach(endAllPrograms);

let count = 0;

async function aProject(): Promise<void> {
  const body = { name: 'Stopping', subdomain: `stopping-${++count}` };
  const made = await service.ask('/api/v1/projects', { method: 'POST', key: account.api_key.key, body });
  links = `/api/v1/projects/${String(made.json.data['id'])}/links`;
}

const create = (fields: object = {}, options: { agent?: Agent } = {}): Promise<Answer> => {
  const body = { name: 'Made', desktop_url: 'https://example.com/', ...fields };
  return service.ask(links, { method: 'POST', key: account.api_key.key, body, ...options });
};

/** Takes a lock that blocks creates; returns a function that releases it. */
async function holdCreates(): Promise<() => Promise<void>> {
  const other = new Client({ connectionString: database.url });
  await other.connect();
  await other.query('BEGIN');
  await other.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [account.account.id]);
  return async () => {
    await other.query('ROLLBACK');
    await other.end();
  };
}

const sessions = (): Promise<{ waits: string | null }[]> =>
  database.query(
    `SELECT wait_event_type AS waits FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'signpost%'`,
  );

const waitingForLocks = async (): Promise<number> => (await sessions()).filter(({ waits }) => waits === 'Lock').length;

/** Opens a connection without a request, like the pool of a client or a load balancer. */
async function silentConnection(): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Returns the time without stalls of the machine, for upper limits. */
const timeOf = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const startedAt = steadyNow();
  return [await work, steadyNow() - startedAt];
};

it.each(['SIGTERM', 'SIGINT'] as const)('%s answers running requests and accepts no others', async (signal) => {
  await aProject();
  const { port } = service;
  const agent = new Agent({ keepAlive: true });
  expect((await ask(port, { path: '/health/ready', agent })).status).toBe(200);
  const silent = await silentConnection();
  const release = await holdCreates();
  const created = [create(), create({}, { agent })];
  await until(async () => (await waitingForLocks()) === 2);

  service.signal(signal);
  const exit = timeOf(service.exit);
  await until(async () => {
    const { status, text } = await ask(port, { path: '/health/live' });
    return status === 0 && text.includes('ECONNREFUSED');
  });
  service.signal(signal);
  service.signal('SIGTERM');
  await delay(200);
  expect(service.running).toBe(true);
  await release();

  expect((await Promise.all(created)).map(({ status }) => status)).toEqual([201, 201]);
  const [ended, took] = await exit;
  expect(ended).toEqual({ code: 0, signal: null });
  expect(took).toBeLessThan(maxStopMs);
  expect(service.stderr).toBe('');
  expect(service.logLines.filter(({ message }) => message === 'stopping')).toHaveLength(1);
  expect(service.logLines.at(-1)).toMatchObject({ message: 'stopped' });
  silent.destroy();
  agent.destroy();
  // PostgreSQL notices closed connections a moment later.
  await until(async () => (await sessions()).length === 0);
});

describe('a stopping service', () => {
  it('does not wait for a client that keeps sending requests', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const answers: Answer[] = [];
    let over = false;
    const client = (async () => {
      while (!over) answers.push(await service.ask('/health/live', { agent }));
    })();
    await until(() => answers.length > 10);
    const [exit, took] = await timeOf(service.stop());
    over = true;
    await client;
    agent.destroy();
    expect(exit.code).toBe(0);
    expect(took).toBeLessThan(maxStopMs);
    expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  });

  it('closes connections with unanswered requests after the timeout', async () => {
    const short = await Program.serving({ DATABASE_URL: database.url, SHUTDOWN_TIMEOUT_SECONDS: '1' });
    const slow = connect(short.port, '127.0.0.1');
    let received = '';
    slow.setEncoding('utf8').on('data', (text: string) => (received += text));
    slow.on('error', () => {});
    slow.write('POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nContent-Le');
    await delay(200);
    const exit = await short.stop();
    expect(exit.code).toBe(0);
    // The limit for the head of a request ends later, with an answer.
    expect(received).toBe('');
    slow.destroy();
  });

  it('stores the last use of API keys', async () => {
    await database.query('UPDATE api_keys SET last_used_at = NULL');
    await service.ask('/api/v1/projects', { key: account.api_key.key });
    await service.stop();
    expect(await database.query("SELECT FROM api_keys WHERE last_used_at > now() - interval '2 minutes'")).toHaveLength(
      1,
    );
  });
});

/** A keep-alive connection that records its answers. */
class KeptConnection {
  /** When it was closed, by `performance.now()`. */
  closedAt: number | undefined;
  readonly #socket: Socket;
  #received = '';

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setEncoding('utf8').on('data', (text: string) => (this.#received += text));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => (this.closedAt = performance.now()));
  }

  get closed(): boolean {
    return this.closedAt !== undefined;
  }

  get(path: string, host = 'localhost'): Promise<string> {
    this.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return this.answer();
  }

  send(text: string): void {
    this.#received = '';
    this.#socket.write(text);
  }

  /** Resolves with the head of the latest answer; empty if the connection was closed without one. */
  async answer(): Promise<string> {
    await until(() => this.#received.includes('\r\n\r\n') || this.closed);
    return this.#received.split('\r\n\r\n', 1)[0]!;
  }
}

/** A request that stays in flight until `finish` is called. */
class SlowCreate {
  readonly #connection: KeptConnection;
  readonly #body = JSON.stringify({ name: 'Slowly sent', desktop_url: 'https://example.com/' });

  constructor(port: number) {
    this.#connection = new KeptConnection(port);
    this.#connection.send(
      `POST ${links} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${account.api_key.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${this.#body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
  }

  /** Resolves with true once the service asks for the body; with false if it accepted no connection. */
  async begun(): Promise<boolean> {
    return (await this.#connection.answer()) === 'HTTP/1.1 100 Continue';
  }

  /** Resolves with the head of the answer. */
  finish(): Promise<string> {
    this.#connection.send(this.#body);
    return this.#connection.answer();
  }
}

describe('a service with a shutdown delay', () => {
  const delaySeconds = 30;
  /** A request is sent so often until the end of the delay. Its whole body must arrive within 30 s. */
  const renewalMs = 5000;
  let metricsPort: number;
  let subdomain: string;

  beforeEach(async () => {
    await aProject();
    subdomain = `stopping-${count}`;
    await create({ custom_path: 'known' });
    metricsPort = await freePort();
    service = await Program.serving({
      ...environment(),
      SHUTDOWN_DELAY_SECONDS: String(delaySeconds),
      METRICS_PORT: String(metricsPort),
    });
  });

  it('reports not ready, keeps serving, closes connections, and closes its metrics last', async () => {
    const host = `${subdomain}.localhost`;
    const connection = () => new KeptConnection(service.port);
    const [api, visitor, idle] = [connection(), connection(), connection()] as const;
    expect(await api.get('/health/ready')).toMatch(/^Connection: keep-alive$/m);
    for (const one of [visitor, idle]) expect(await one.get('/known', host)).toMatch(/^Connection: keep-alive$/m);
    const inFlight = new SlowCreate(service.port);
    expect(await inFlight.begun()).toBe(true);

    const stoppedAt = performance.now();
    service.signal('SIGTERM');
    const exit = timeOf(service.exit);
    await until(async () => (await service.ask('/health/ready')).status === 503);
    expect((await service.ask('/health/ready')).json.data).toEqual({ status: 'draining' });
    expect(await inFlight.finish()).toMatch(/^HTTP\/1\.1 201 [^]*^Connection: close$/m);
    for (const path of ['/health/live', '/health/startup', '/api/v1/projects']) {
      const answer = await service.ask(path, { key: account.api_key.key });
      expect([path, answer.status, answer.headers.connection]).toEqual([path, 200, 'close']);
    }
    const { status, headers } = await service.visit(subdomain, '/known');
    expect([status, headers]).toEqual([
      302,
      expect.objectContaining({ location: 'https://example.com/', connection: 'close' }),
    ]);
    expect(await api.get('/health/ready')).toMatch(/^HTTP\/1\.1 503 [^]*^Connection: close$/m);
    expect(await visitor.get('/known', host)).toMatch(/^HTTP\/1\.1 302 [^]*^Connection: close$/m);
    await until(() => api.closed && visitor.closed);
    service.signal('SIGTERM');
    service.signal('SIGINT');
    let late = new SlowCreate(service.port);
    expect(await late.begun()).toBe(true);
    // A machine that stands still does not choose the moment of the last request: another one is sent until none is accepted.
    while (!(await becomesTrue(() => idle.closed, renewalMs))) {
      const next = new SlowCreate(service.port);
      if (!(await next.begun())) break;
      expect(await late.finish()).toMatch(/^HTTP\/1\.1 201 [^]*^Connection: close$/m);
      late = next;
    }
    expect(performance.now() - stoppedAt).toBeGreaterThan(delaySeconds * 1000 - 100);
    await until(() => idle.closed);
    // Without a request on it the service cannot send `Connection: close`.
    expect(idle.closedAt! - stoppedAt).toBeGreaterThan(delaySeconds * 1000 - 100);
    expect((await service.ask('/health/live')).status).toBe(0);
    const metrics = await ask(metricsPort, { path: '/metrics' });
    expect([metrics.status, metrics.text]).toEqual([200, expect.stringContaining('signpost_build_info')]);
    expect(service.running).toBe(true);
    expect(await late.finish()).toMatch(/^HTTP\/1\.1 201 [^]*^Connection: close$/m);
    const [ended, took] = await exit;
    expect(ended).toEqual({ code: 0, signal: null });
    expect(took).toBeLessThan(delaySeconds * 1000 + maxStopMs);
    expect(service.stderr).toBe('');
    expect((await ask(metricsPort, { path: '/metrics' })).status).toBe(0);
  });
});

describe('a service that is stopped during its start', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('exits immediately on %s while it waits for its database', async (signal) => {
    const waiting = new Program('main', { DATABASE_URL: 'postgres://app@localhost/app?host=/nowhere' });
    await until(() => waiting.stdout.includes('waiting for the database'));
    waiting.signal(signal);
    const [exit, took] = await timeOf(waiting.exit);
    expect(exit).toEqual({ code: 0, signal: null });
    expect(took).toBeLessThan(30_000);
  });

  it('leaves no database server running', async () => {
    const dataDir = temporaryDirectory();
    atEndOfTest(() => rmSync(dataDir, { recursive: true, force: true }));
    atEndOfTest(endAllPrograms);
    const starting = new Program('main', { DATA_DIR: dataDir });
    await until(() => serverPid(dataDir) !== null);
    const pid = serverPid(dataDir)!;
    starting.signal('SIGTERM');
    await starting.exit;
    await until(() => !isAlive(pid));
    expect(starting.stderr).toBe('');
  });
});

describe('without an answering database', () => {
  // The stop waits for the end of the limits.
  beforeAll(useProductionTimeLimitsInPrograms);

  it.each(['freeze', 'kill'] as const)('a service can be stopped after a %s', async (fault) => {
    const cluster = await Cluster.create();
    atEndOfTest(() => cluster.remove());
    atEndOfTest(endAllPrograms);
    const frozen = await Program.serving({ DATABASE_URL: cluster.url });
    const { key } = (await anAccountByShell({ DATABASE_URL: cluster.url })).api_key;
    await Promise.all(Array.from({ length: 10 }, () => frozen.ask('/api/v1/projects', { key })));
    await frozen.visit('some', '/link');
    await cluster[fault]();
    const [exit, took] = await timeOf(frozen.stop());
    console.info(`stopped in ${Math.round(took)} ms after a ${fault} of the database`);
    expect(exit.code).toBe(0);
    expect(took).toBeLessThan(maxStopMs);
  });
});
